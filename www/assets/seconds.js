// Times as people write them. Pure functions.

/** The longest time of a timer: 23:59:59. */
export const LONGEST = 86_399;

/** The seconds of m:ss, h:mm:ss, or minutes only; null if the string is not a time, or one that is too long. */
export function secondsOf(text, longest = LONGEST) {
  const parts = text.trim().split(':');
  if (parts.length > 3 || !parts.every((part) => /^\d{1,5}$/.test(part))) return null;
  if (parts.slice(1).some((part) => Number(part) > 59 || part.length !== 2)) return null;
  const numbers = parts.length === 1 ? [parts[0], 0] : parts;
  const seconds = numbers.reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds > 0 && seconds <= longest ? seconds : null;
}
