// The width of digits, from which their largest size is computed.

/** The widths of digits in this browser's font, in em. */
export function measureDigits() {
  const probe = document.createElement('span');
  probe.className = 'digit-probe';
  document.body.append(probe);
  const width = (text) => {
    probe.textContent = text.repeat(20);
    return probe.getBoundingClientRect().width / 20 / 100;
  };
  const widths = { digit: width('0'), colon: width(':'), plus: width('+') };
  probe.remove();
  return widths;
}

/** The width of a time of a length, in em. A sign takes up as much space as a digit, or more if it is wider. */
export function digitEms(text, length, { digit, colon, plus }) {
  const colons = length > 6 ? 2 : 1;
  const sign = text.startsWith('+') ? Math.max(0, plus - digit) : 0;
  return ((length - colons) * digit + colons * colon + sign).toFixed(3);
}
