// Everything that a display shows at an instant, as plain values. The view only renders it.
import { clockText, count, isCounting, isRunning, patternAt, wallAt } from '../counting.js?v=';
import { LAMPS } from '../lamps.js?v=';
import { leadAt, meetingLeft } from '../meeting.js?v=';
import { t, timeOfDay, wordText } from '../texts.js?v=';
import { evening } from './evening.js?v=';
import { nodeOf } from './one-timer.js?v=';

const MINUTE = 60_000;
/** A display flashes three times for a message that asks for attention, well below three times a second. */
const ATTENTION = [200, 250, 200, 250, 200];

const minutes = (seconds) => Math.max(1, Math.round(seconds / 60));

/** Returns what is wrong between the node and this page; null if nothing is. */
function connectionText(live, node, counted) {
  let text = null;
  if (live.status !== 'live') text = t(`display.${live.status}`);
  else if (live.broker && !live.broker.connected) text = t('display.broker_away');
  else if (node && node.availability !== 'online') text = t('display.offline');
  const isEstimate = counted && isCounting(counted.mode) && (text !== null || counted.estimate);
  if (!isEstimate) return text;
  return text === null ? t('display.estimate') : `${text} · ${t('display.estimate')}`;
}

/** What is shown instead of a timer. */
function notice(live, id, node) {
  if (node === null) return { state: 'unseen', title: t('display.no_timer'), hint: t('display.no_timer_hint', { id }) };
  const broker = live.broker?.address ?? '';
  if (live.status !== 'live') return { state: 'connecting', title: t('display.connecting'), hint: id };
  if (!live.broker?.connected) {
    return { state: 'broker', title: t('display.broker_away'), hint: t('display.broker_hint', { broker }) };
  }
  return { state: 'unseen', title: t('display.unseen', { id }), hint: t('display.unseen_hint', { id, broker }) };
}

/** The expected end of the run, and the delay of its meeting; `drifts` if they change as time passes. */
function expectedEnd(node, counted, wall) {
  const { meeting } = node.state;
  const runs = isRunning(counted.mode);
  const isOn = runs || counted.mode === 'paused';
  if (wall === null) return { end: null, behind: null, drifts: false };
  const time = timeOfDay(wall + counted.remaining * 1000, node.agenda?.zone);
  const end = isOn && counted.overtime === null ? t('display.end', { time }) : null;
  let behind = null;
  const left = meetingLeft(node);
  if (left !== null) {
    const following = left - node.state.remaining;
    const late = (wall - Date.parse(meeting.planned_end)) / 1000 + counted.remaining + following;
    const isOnTime = Math.abs(late) < 30;
    const word = isOnTime ? 'on_time' : late > 0 ? 'behind' : 'ahead';
    behind = t(`display.${word}`, { meeting: meeting.name, minutes: minutes(Math.abs(late)) });
  }
  return { end, behind, drifts: !runs && (end !== null || behind !== null) };
}

/** The message to the speaker, and whether the display is flashing for it. */
function messageAt(node, now, wall, isSteady) {
  const message = node.message;
  if (!message?.text || (message.until && wall !== null && Date.parse(message.until) <= wall)) {
    return { message: null, isFlash: false, until: Infinity };
  }
  const ends = message.until && wall !== null ? now + Date.parse(message.until) - wall : Infinity;
  const at = message.attention_at ?? null;
  if (isSteady || !message.attention || at === null) {
    return { message: message.text, isFlash: false, until: ends };
  }
  const flash = patternAt({ steps_ms: ATTENTION, repeat: false, began: at }, now);
  return { message: message.text, isFlash: flash.lit, until: Math.min(ends, flash.until) };
}

/**
 * What a display shows.
 *
 * @param {object} live the status, the broker, the nodes.
 * @param {object} options the result of `parameters`.
 * @param {number|null} now the server's ms.
 */
export function picture(live, id, options, now) {
  const node = nodeOf(live.nodes.get(id), options.timer, now);
  const counted = count(node, now, { ...options, isReached: live.reaches(id) });
  if (!counted) return { ...notice(live, id, node), nextChange: Infinity, lamps: {}, isFlash: false };
  const wall = wallAt(node, now);
  const shows = (name) => options.elements.has(name);
  const lit = LAMPS.find((name) => counted.lamps[name]?.lit) ?? null;
  const tone = LAMPS.find((name) => (counted.lamps[name]?.state ?? 'off') !== 'off') ?? null;
  const { end, behind, drifts } = expectedEnd(node, counted, wall);
  const order = evening(node, counted, wall);
  const lead = leadAt(node, now);
  const showsClock = wall !== null && shows('clock') && (counted.mode === 'stopped' || options.kind === 'backstage');
  const { message, isFlash, until } = messageAt(node, now, wall, options.isSteady);
  const down = counted.overtime === null ? counted.text : counted.overtimeText;
  const running = options.countsUp ? counted.elapsedText : down;
  const digits = lead ? clockText(lead.seconds) : running;
  const isMinuteShown = showsClock || (drifts && shows('end'))
    || (order.drifts && (shows('expected') || shows('list')));
  return {
    state: 'shown',
    mode: counted.mode,
    isOver: counted.overtime !== null,
    word: lead ? t('display.lead') : wordText(counted.word),
    digits,
    /** The whole seconds left. */
    shown: counted.shown,
    /** Determines the size of the digits: all times of that length have the same size. */
    length: Math.max(4, digits.length),
    lamps: counted.lamps,
    /** The lamp that is lit now, and the one that would be if it did not flash; the topmost if there are several. */
    lit,
    tone,
    // A timer that was put up for an entry is named after it.
    now: order.now === counted.timer?.name ? null : order.now,
    name: lead?.name || counted.timer?.name || node.state.group?.name || id,
    place: [shows('event') && counted.timer?.event, shows('location') && counted.timer?.location]
      .filter(Boolean).join(' · '),
    speaker: node.state.speaker,
    progress: counted.progress,
    parts: Object.fromEntries(Object.entries(counted.parts).map(([name, { length, tone: colour }]) => (
      [name, { share: share(length, counted.start), tone: colour }]))),
    next: order.next,
    expected: order.expected,
    list: shows('list') ? order.list : [],
    end,
    behind,
    clock: showsClock ? timeOfDay(wall, node.agenda?.zone) : null,
    message,
    isFlash,
    connection: connectionText(live, node, counted),
    nextChange: Math.min(
      counted.nextChange, until, lead?.nextChange ?? Infinity,
      isMinuteShown ? now + MINUTE - (wall % MINUTE) : Infinity),
  };
}

const share = (part, whole) => (whole > 0 ? Math.min(1, part / whole) : 0);
