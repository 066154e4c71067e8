// A display of one timer of a node, regardless of which timer is selected.
import { count, timerAt } from '../counting.js?v=';

/** The path of a timer given by its id or its path; null if the node has no such timer. */
function pathOf(timers, wished) {
  for (const [place, group] of timers.groups.entries()) {
    for (const [item, { id }] of group.timers.entries()) {
      const path = `${place + 1}/${item + 1}`;
      if (wished === id || wished === path) return path;
    }
  }
  return null;
}

/**
 * The node as shown by a display of one of its timers: unchanged while that timer is selected, otherwise stopped with
 * that timer.
 *
 * @param {object} node as received from the server.
 * @param {string|null} wished the timer's id or its path; null for the selected one.
 * @param {number|null} now the server's ms.
 * @returns null if there is no such timer.
 */
export function nodeOf(node, wished, now) {
  // A follower has no timers.
  if (!wished || !node?.state || !node.timers) return node;
  const path = pathOf(node.timers, wished);
  if (path === null) return null;
  if ((count(node, now)?.timer ?? node.state.timer).path === path) return node;
  const { group, timer } = timerAt(node.timers, path);
  const { id, name, event = null, location = null, start, warning, final } = timer;
  const outputs = Object.fromEntries(Object.keys(node.state.outputs ?? {}).map((output) => [output, 'off']));
  const state = {
    ...node.state, mode: 'stopped', paused_mode: null, start, warning, final, outputs, remaining: start,
    precise_remaining: start, overtime: null, started_at: null, next: null, run: null, speaker: null,
    meeting: null, lead: null,
    timer: { path, id, name, event, location },
    group: { ...node.state.group, index: Number(path.split('/')[0]), name: group.name, display: group.display },
  };
  return { ...node, state, programme: null, patterns: {}, counting: { ...node.counting, zero: null, since: null } };
}
