// The time left of the meeting in progress, if its timers determine it. Pure functions.
import { timerAt } from './counting.js?v=';

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
