// What a running order says at an instant, and how it is edited. Pure functions.

/** The fields of an entry that a client sends; the node adds the others. */
const OWN = ['id', 'title', 'speaker', 'timer', 'start', 'until', 'warning', 'final', 'minimum', 'maximum', 'at', 'note'];

/** The running order as the command `programme` takes it. */
export const ownEntries = (entries) => entries.map((entry) => Object.fromEntries(
  OWN.filter((key) => entry[key] !== undefined && entry[key] !== null).map((key) => [key, entry[key]])));

/**
 * When an entry is expected to begin, in ms since 1970, or null. While the timer does not run, everything that is still
 * expected moves on with the time.
 *
 * @param now the node's wall clock in ms.
 */
export function expectedAt(programme, entry, isRunning, now) {
  const expected = Date.parse(entry.expected ?? '');
  if (Number.isNaN(expected)) return null;
  if (entry.state !== 'coming' || isRunning || now === null) return expected;
  if (programme.current) return expected + Math.max(0, now - Date.parse(programme.at));
  // Nothing has begun yet: the first entry is due now at the earliest.
  const first = programme.entries.find(({ state }) => state === 'coming');
  return expected + Math.max(0, now - Date.parse(first.expected));
}

/** The entry that follows the current one: the next that is neither done nor left out; null after the last one. */
export function nextEntry(programme) {
  const place = programme.entries.findIndex(({ id }) => id === programme.current);
  return programme.entries.find(({ state }, index) => index > place && state === 'coming') ?? null;
}

/** The entries with one of them moved by a number of places. */
export function moved(entries, id, by) {
  const from = entries.findIndex((entry) => entry.id === id);
  const to = Math.max(0, Math.min(entries.length - 1, from + by));
  const others = entries.filter((entry) => entry.id !== id);
  return [...others.slice(0, to), entries[from], ...others.slice(to)];
}

/** The entries with one of them moved before or after another one. */
export function movedBeside(entries, id, place, other) {
  const at = (wanted) => entries.findIndex((entry) => entry.id === wanted);
  const by = at(other) - at(id);
  const passed = by < 0 ? 'after' : 'before';
  return moved(entries, id, place === passed ? by - Math.sign(by) : by);
}
