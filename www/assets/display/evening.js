// What a display shows of the running order, as plain values.
import { clockText, isRunning, timerAt } from '../counting.js?v=';
import { expectedAt, nextEntry } from '../programme/order.js?v=';
import { t, timeOfDay } from '../texts.js?v=';

/** The entries of the list: one that is over, the current one, and those that follow. */
const [BEFORE, LISTED] = [1, 6];

const who = ({ title, speaker }) => [title, speaker].filter(Boolean).join(' · ');

/** What follows: the next entry, or the next timer of a node that has no running order. */
function nextText(node, counted, entry) {
  if (entry) return t('programme.next', { title: who(entry) });
  const { timer } = timerAt(node.timers, counted.next);
  return timer && t('display.next', { name: timer.name || counted.next, time: clockText(timer.start) });
}

/** The entries around the current one, each with its number and when it is expected to begin. */
function around(entries, current, timeOf) {
  const place = Math.max(0, entries.findIndex(({ id }) => id === current));
  const first = Math.max(0, Math.min(place - BEFORE, entries.length - LISTED));
  return entries.slice(first, first + LISTED).map((entry, index) => ({
    text: `${first + index + 1}. ${who(entry)}`, state: entry.state, time: entry.state === 'coming' ? timeOf(entry) : null,
  }));
}

/**
 * The current entry, the next one, when that begins, and the entries around them.
 *
 * @param counted the result of `count`.
 * @param {number|null} wall the node's wall clock.
 * @returns `drifts` if the expected times change as time passes.
 */
export function evening(node, counted, wall) {
  const { programme } = node;
  if (!programme) return { now: null, next: nextText(node, counted), expected: null, list: [], drifts: false };
  const runs = isRunning(counted.mode);
  const timeOf = (entry) => {
    const expected = expectedAt(programme, entry, runs, wall);
    return expected === null ? null : timeOfDay(expected, node.agenda?.zone);
  };
  const next = nextEntry(programme);
  const time = next && timeOf(next);
  return {
    now: programme.entries.find(({ id }) => id === programme.current)?.title ?? null,
    next: next && nextText(node, counted, next),
    expected: time && t('display.expected', { time }),
    list: around(programme.entries, programme.current, timeOf),
    drifts: !runs,
  };
}
