// Converts between times of day in zones and instants. Pure functions; the browser knows the zones.

const HOUR = 3_600_000;
const formats = new Map();

function format(zone) {
  if (!formats.has(zone)) {
    formats.set(zone, new Intl.DateTimeFormat('en-CA', {
      timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit',
      minute: '2-digit', second: '2-digit' }));
  }
  return formats.get(zone);
}

/** The viewer's time zone. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether the browser knows a zone of that name. */
export function isZone(name) {
  try {
    format(name);
    return true;
  } catch {
    return false;
  }
}

/** The day and the time of an instant in a zone, as `2026-11-24` and `19:00`. */
export function localTime(instant, zone) {
  const part = Object.fromEntries(format(zone).formatToParts(instant).map(({ type, value }) => [type, value]));
  return { day: `${part.year}-${part.month}-${part.day}`, at: `${part.hour}:${part.minute}`, second: part.second };
}

/** How far the clocks of a zone are ahead of UTC at an instant, in ms. */
function offset(instant, zone) {
  const { day, at, second } = localTime(instant, zone);
  return Date.parse(`${day}T${at}:${second}Z`) - Math.floor(instant / 1000) * 1000;
}

/**
 * The instant of a day and a time in a zone, in ms. A time that occurs twice means the first; one that is skipped means
 * the first instant after the gap. The node does the same.
 */
export function instantOf(day, at, zone) {
  const local = Date.parse(`${day}T${at.padStart(5, '0')}:00Z`);
  const [before, after] = [local - 24 * HOUR, local + 24 * HOUR].map((near) => offset(near, zone));
  const matches = [before, after].map((difference) => local - difference)
    .filter((instant) => offset(instant, zone) === local - instant);
  if (matches.length > 0) return Math.min(...matches);
  let [low, high] = [local - 24 * HOUR, local + 24 * HOUR];
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offset(middle, zone) === before) low = middle;
    else high = middle;
  }
  return high;
}
