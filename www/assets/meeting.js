// The time left of the meeting in progress, if its timers determine it, and the time until the next one. Pure functions.
import { timerAt, wallAt } from './counting.js?v=';

/** The timers of a group make up a meeting if their total duration matches it within this fraction. */
const TOLERANCE = 0.1;

/** The planned length of a meeting, in seconds. A meeting that began early takes longer to reach its planned end. */
function plannedLength({ agenda }, { name, began_at: began, planned_end: end }) {
  const planned = agenda?.in_progress.find((one) => one.name === name && one.ends_at === end);
  return (Date.parse(end) - Date.parse(planned?.begins_at ?? began)) / 1000;
}

/**
 * The seconds that the current timer and those that follow in its group had left when the node created its state; null
 * unless they make up the whole meeting. A group that is only a part of the meeting does not determine its end.
 */
export function meetingLeft(node) {
  const { meeting, timer } = node.state ?? {};
  const { group } = timerAt(node.timers, timer?.path);
  if (!meeting || meeting.left === null || !group) return null;
  const length = plannedLength(node, meeting);
  const planned = group.timers.reduce((sum, { start }) => sum + start, 0);
  return Math.abs(planned - length) <= TOLERANCE * length ? meeting.left : null;
}

/**
 * The meeting that a stopped node counts down to; null if there is none.
 *
 * @returns its name, the whole seconds until it begins, and the instant at which these change, in the server's ms.
 */
export function leadAt(node, now) {
  const { lead = null, mode } = node.state ?? {};
  const wall = wallAt(node, now);
  if (!lead || mode !== 'stopped' || wall === null) return null;
  const left = Date.parse(lead.at) - wall;
  const seconds = Math.max(0, Math.ceil(left / 1000));
  return { name: lead.name, seconds, nextChange: seconds > 0 ? now + left - (seconds - 1) * 1000 : Infinity };
}
