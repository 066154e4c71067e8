// Fields of a form: a label, an input, and a note about it.
import { t } from './texts.js?v=';
import { h, setText } from './ui.js?v=';

let count = 0;
const nextID = () => `field-${count += 1}`;

const bytes = (text) => new TextEncoder().encode(text).length;
// Control characters, by the node's definition.
const CONTROL = /\p{Cc}/u;

/** The reason why the node would refuse a string; null if it would accept it. */
function misfit(text, maximum = 128) {
  if (CONTROL.test(text)) return t('edit.misfit.control');
  return bytes(text) > maximum ? t('edit.misfit.long', { bytes: bytes(text), maximum }) : null;
}

/**
 * A field around an input, with a note below it about errors and adjustments.
 *
 * @returns {{element: Element, note: (text: string) => void}}
 */
export function field(label, input, hint = null) {
  input.id ||= nextID();
  const note = h('p', { class: 'field-note', id: `${input.id}-note`, 'aria-live': 'polite' });
  input.setAttribute('aria-describedby', note.id);
  const element = h('div', { class: 'field' },
    h('label', { for: input.id }, label), input, hint && h('p', { class: 'muted hint' }, hint), note);
  return { element, input, note: (text) => setText(note, text ?? '') };
}

/** A text field. `onChange` is called for each change while typing. */
export function textField(label, value, { maximum = 128, required = false, list = null, onChange = () => {} } = {}) {
  const input = h('input', { type: 'text', value: value ?? '', autocomplete: 'off', required, list });
  const made = field(label, input);
  const check = () => {
    const wrong = misfit(input.value, maximum);
    input.setCustomValidity(wrong ?? '');
    input.toggleAttribute('aria-invalid', Boolean(wrong));
    made.note(wrong);
  };
  input.addEventListener('input', () => {
    check();
    onChange(input.value);
  });
  return {
    ...made,
    get value() { return input.value.trim(); },
    set value(text) {
      input.value = text ?? '';
      check();
    },
  };
}

/** A field with choices: [value, text] each. */
export function selectField(label, value, choices, onChange = () => {}) {
  const input = h('select', {}, choices.map(([choice, text]) => h('option', { value: choice }, text)));
  input.value = value;
  input.addEventListener('change', () => onChange(input.value));
  return { ...field(label, input), get value() { return input.value; }, set value(next) { input.value = next; } };
}

const PARTS = [['hours', 3600, 23], ['minutes', 60, 59], ['seconds', 1, 59]];

/**
 * A field for a time in hours, minutes and seconds.
 *
 * What is typed stays until the field loses the focus; then 90 minutes become 1 hour and 30 minutes.
 */
export function timeField(label, seconds, onChange) {
  const id = nextID();
  const inputs = PARTS.map(([name, , maximum]) => h('input', {
    type: 'number', inputmode: 'numeric', min: 0, max: maximum, step: 1, required: true, 'data-part': name,
    'aria-label': t('edit.part', { label, part: t(`edit.${name}`) }), 'aria-describedby': `${id}-note`,
  }));
  const note = h('p', { class: 'field-note', id: `${id}-note`, 'aria-live': 'polite' });
  const show = (value) => {
    const parts = [Math.floor(value / 3600), Math.floor((value % 3600) / 60), value % 60];
    inputs.forEach((input, place) => {
      if (input.value !== String(parts[place])) input.value = parts[place];
    });
  };
  const read = () => inputs.reduce((sum, input, place) =>
    sum + Math.max(0, Math.trunc(Number(input.value)) || 0) * PARTS[place][1], 0);
  let shown = seconds;
  show(seconds);
  const element = h('fieldset', { class: 'field time' }, h('legend', {}, label),
    h('div', { class: 'parts' }, inputs.map((input, place) => h('label', {}, input,
      h('span', { 'aria-hidden': 'true' }, t(`edit.unit.${PARTS[place][0]}`))))),
    note);
  for (const input of inputs) {
    // A value that exceeds its part carries over into the others, and is not an error.
    input.addEventListener('invalid', (event) => event.preventDefault());
    input.addEventListener('input', () => onChange(read()));
    input.addEventListener('change', () => show(shown));
    input.addEventListener('focus', () => input.select());
  }
  return {
    element,
    /** Shows a time; while the user is typing, only after the field has lost the focus. */
    show(value) {
      shown = value;
      if (!element.contains(document.activeElement)) show(value);
    },
    note: (text) => setText(note, text ?? ''),
  };
}
