// The runs of a day, as shown in a report. Pure functions.

const two = (value) => String(value).padStart(2, '0');

/** A day such as 2026-11-20, in the zone of this browser. */
export const dayOf = (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** Noon of a day: far enough from midnight to add days, whatever daylight saving time does. */
export const noonOf = (day) => new Date(`${day}T12:00:00`);

/** The day that is this many days later. */
export function dayAfter(day, days) {
  const date = noonOf(day);
  date.setDate(date.getDate() + days);
  return dayOf(date);
}

/** Whether a string is a day that exists. */
export const isDay = (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(noonOf(text).getTime())
  && dayOf(noonOf(text)) === text;

/** The runs that began on a day in this browser's zone, the oldest first: the order in which they are read out. */
export function runsOfDay(runs, day) {
  return runs.filter((run) => dayOf(new Date(run.started_at)) === day)
    .sort((one, other) => (one.started_at < other.started_at ? -1 : 1));
}

/** Which runs are shown: all, those that qualified (yes), or those that did not (no). */
export function shownRuns(runs, choice) {
  if (choice === 'yes') return runs.filter((run) => run.qualified === true);
  return choice === 'no' ? runs.filter((run) => run.qualified === false) : runs;
}

/** The runs by the parts of the evening, each with those of its group, in the order in which the parts began. */
export function parts(runs) {
  const found = new Map();
  for (const run of runs) {
    const name = run.group ?? '';
    if (!found.has(name)) found.set(name, []);
    found.get(name).push(run);
  }
  return [...found].map(([name, members]) => ({ name, runs: members }));
}

/** The number of runs, of runs with a verdict, and of runs that qualified. */
export function counts(runs) {
  const judged = runs.filter((run) => run.qualified !== null && run.qualified !== undefined);
  return {
    count: runs.length, judged: judged.length, qualified: judged.filter((run) => run.qualified).length,
  };
}
