// What is left of the meeting in progress, where its timers tell. Pure.
import { timerAt } from './counting.js?v=';

/** The timers of a group make up a meeting where they take as long as it does, within this part of it. */
const TOLERANCE = 0.1;

/** How long a meeting was planned to be, in seconds: one that began early has a longer way to its end. */
function plannedLength({ agenda }, { name, began_at: began, planned_end: end }) {
  const planned = agenda?.in_progress.find((one) => one.name === name && one.ends_at === end);
  return (Date.parse(end) - Date.parse(planned?.begins_at ?? began)) / 1000;
}

/**
 * The seconds that the present timer and those that follow in its group had left when the node made its state; null
 * unless they are the whole meeting. A group that is only a part of it says nothing about its end.
 */
export function meetingLeft(node) {
  const { meeting, timer } = node.state ?? {};
  const { group } = timerAt(node.timers, timer?.path);
  if (!meeting || meeting.left === null || !group) return null;
  const length = plannedLength(node, meeting);
  const planned = group.timers.reduce((sum, { start }) => sum + start, 0);
  return Math.abs(planned - length) <= TOLERANCE * length ? meeting.left : null;
}
