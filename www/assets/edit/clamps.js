// The limits of a node, and how an editor adjusts times that do not fit together, exactly as the node does for the
// command `edit`. Pure functions.

import { LONGEST } from '../seconds.js?v=';

export { LONGEST };
/** The longest budget of a group, in seconds: a week. */
export const LONGEST_BUDGET = 604_800;
/** The maximum number of timers in a group. */
export const CAPACITY = 4;

const within = (value, low, high) => Math.min(Math.max(value, low), high);

/** Start, warning and final in seconds: warning below the start, and final below the warning if there is one. */
function clampTimes({ start, warning, final }) {
  const clampedStart = within(start, 0, LONGEST);
  const clampedWarning = within(warning, 0, Math.max(0, clampedStart - 1));
  const below = clampedWarning > 0 ? clampedWarning : clampedStart;
  return { start: clampedStart, warning: clampedWarning, final: within(final, 0, Math.max(0, below - 1)) };
}

/** The shortest and the longest qualifying time, in seconds, 0 for none: the minimum is at most the maximum. */
function clampBounds({ minimum, maximum }) {
  const clampedMaximum = within(maximum, 0, LONGEST);
  return { minimum: within(minimum, 0, clampedMaximum > 0 ? clampedMaximum : LONGEST), maximum: clampedMaximum };
}

/** All five times of a timer, clamped. */
export const clampTimer = (times) => ({ ...clampTimes(times), ...clampBounds(times) });

/** The five times of a timer as received from the node, 0 for those that are omitted. */
export const timesOf = (timer) => ({
  start: timer.start, warning: timer.warning ?? 0, final: timer.final ?? 0,
  minimum: timer.minimum ?? 0, maximum: timer.maximum ?? 0,
});
