// The content of a node's timer at an instant, computed without any messages. Pure functions; instants are
// the server's ms.
import { expectedOutputs, lampsAt, LAMPS, signalOf, toneOf } from './lamps.js?v=';

export { patternAt } from './lamps.js?v=';

/**
 * How long a page waits at zero for the node's message before it shows the alarm on its own, because a sequence may
 * continue instead.
 */
const HOLD_AT_ZERO = 300;
/** A difference in seconds that is ignored, because the time left is computed with fractions. */
const NOTHING = 1e-6;

const RUNNING = new Set(['countdown', 'warning', 'final']);

/** Whether a timer in that mode counts down. */
export const isRunning = (mode) => RUNNING.has(mode);

/** Whether its seconds are counting: during the alarm they count the overtime. */
export const isCounting = (mode) => isRunning(mode) || mode === 'alarm';

/** m:ss, or h:mm:ss from an hour. */
export function clockText(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value) => String(value).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** The whole seconds that a display shows: 0 only once nothing is left. */
export const shownSeconds = (remaining) => Math.max(0, Math.ceil(remaining - NOTHING));

/** The final time that applies: the node treats one second as none. */
const finalOf = ({ final }) => (final > 1 ? final : 0);

/** The mode of a running timer with this much time left. */
export function modeAt(remaining, times) {
  if (remaining <= finalOf(times) + NOTHING && finalOf(times) > 0) return 'final';
  return remaining <= times.warning + NOTHING && times.warning > 0 ? 'warning' : 'countdown';
}

/** The timer at a path such as "2/1", and its group; both null if the node has no such timer. */
export function timerAt(timers, path) {
  const [group, item] = String(path ?? '').split('/').map((number) => Number(number) - 1);
  const found = timers?.groups?.[group];
  return { group: found ?? null, timer: found?.timers?.[item] ?? null };
}

/** The path of the timer that follows at zero, chosen as the node does; null if the alarm follows. */
function successor(timers, path) {
  const { group } = timerAt(timers, path);
  if (!group || group.at_zero !== 'next') return null;
  const [place, item] = path.split('/').map(Number);
  const next = group.timers.findIndex((timer, index) => index >= item && timer.start > 0);
  return next < 0 ? null : `${place}/${next + 1}`;
}

/**
 * The state of a running timer, or of the next timer of its sequence if that has begun and the node has not reported it
 * yet.
 */
function stateAt(node, now) {
  let state = node.state;
  let zero = node.counting?.zero ?? null;
  let made = node.counting?.made ?? null;
  while (isRunning(state.mode) && zero !== null && state.next && now >= zero + HOLD_AT_ZERO) {
    const { timer } = timerAt(node.timers, state.next);
    if (!timer || !(timer.start > 0)) break;
    const { start, warning, final, id, name, event = null, location = null, minimum = null, maximum = null } = timer;
    made = zero;
    zero += start * 1000;
    state = {
      ...state, mode: 'countdown', start, warning, final, next: successor(node.timers, state.next),
      timer: { path: state.next, id, name, event, location },
      run: state.run && { used: 0, paused: 0, minimum, maximum, grace: state.run.grace },
    };
  }
  return { state, zero, made };
}

/**
 * A running timer, or a timer during its alarm: its mode, the time left or over, when the mode began, and when the next
 * second comes.
 */
function runningAt(state, zero, now) {
  const remaining = Math.max(0, (zero - now) / 1000);
  if (state.mode !== 'alarm' && remaining > NOTHING) {
    const mode = modeAt(remaining, state);
    const began = { countdown: zero - state.start * 1000, warning: zero - state.warning * 1000,
      final: zero - state.final * 1000 }[mode];
    return { mode, remaining, overtime: null, began, next: zero - (shownSeconds(remaining) - 1) * 1000 };
  }
  if (state.mode !== 'alarm' && now < zero + HOLD_AT_ZERO) {
    return { mode: modeAt(0, state), remaining: 0, overtime: null, began: null, next: zero + HOLD_AT_ZERO };
  }
  const overtime = Math.max(0, (now - zero) / 1000);
  const next = zero + (Math.floor(overtime + NOTHING) + 1) * 1000;
  return { mode: 'alarm', remaining: 0, overtime, began: zero, next };
}

/** A timer that is not counting. */
function standing(state) {
  const isOver = state.mode === 'alarm' || state.paused_mode === 'alarm';
  const remaining = Math.max(0, state.precise_remaining);
  return { mode: state.mode, remaining, overtime: isOver ? state.overtime ?? 0 : null, began: null, next: Infinity };
}

/** How long the run has taken: the node's value plus the time since. Null if the node reports no run. */
function usedAt({ run }, made, goesOn, now) {
  if (!run) return null;
  return run.used + (goesOn && made !== null ? Math.max(0, now - made) / 1000 : 0);
}

/**
 * What a node shows now.
 *
 * @param node as received from the server.
 * @param {number|null} now the server's ms; null if not known yet.
 * @param {{isSteady?: boolean, countsUp?: boolean, isReached?: boolean}} options whether to avoid flashing; whether the
 *   time used is shown as well; whether messages from the node reach this page.
 * @returns null if the node's state is not known; otherwise the time left in exact and whole seconds, what the lamps
 *   show, and when any of that changes next (in the server's ms, Infinity for never).
 */
export function count(node, now, { isSteady = false, countsUp = false, isReached = true } = {}) {
  if (!node?.state || now === null) return null;
  const { state, zero, made } = stateAt(node, now);
  const goesOn = zero !== null && isCounting(state.mode);
  const run = goesOn ? runningAt(state, zero, now) : standing(state);
  const isToldByNode = state === node.state && run.mode === state.mode;
  // The node's message about its lamps arrives a few milliseconds after the second, if at all.
  const isAwaited = isReached && !isToldByNode && state === node.state
    && run.began !== null && now < run.began + HOLD_AT_ZERO;
  const usesOwn = isToldByNode || isAwaited || run.began === null;
  const told = node.state.outputs ?? {};
  const outputs = usesOwn && LAMPS.some((name) => name in told) ? told : expectedOutputs(node, run.mode);
  const { lamps, until } = lampsAt({
    outputs, patterns: usesOwn ? node.patterns : null, mode: run.mode,
    began: usesOwn ? node.counting?.since : run.began,
  }, now, isSteady);
  const shown = shownSeconds(run.remaining);
  const { start } = state;
  const paused = run.mode === 'paused';
  const used = usedAt(state, made, goesOn, now);
  const elapsed = used ?? Math.max(0, start - run.remaining) + (run.overtime ?? 0);
  // If time was added or removed, the elapsed seconds do not change at the same instants as the seconds left.
  const nextElapsed = goesOn && countsUp ? now + (Math.floor(elapsed + NOTHING) + 1 - elapsed) * 1000 : Infinity;
  const isOver = run.overtime !== null && !paused;
  const shownMode = paused ? state.paused_mode ?? 'countdown' : run.mode;
  return {
    mode: run.mode,
    paused,
    /** The mode whose colours are shown: a pause keeps those of the mode that it interrupts. */
    shownMode,
    /** The node's word for the mode, and the lamp whose colour represents it. */
    word: signalOf(node, isOver ? 'alarm' : run.mode).word,
    tone: toneOf(node, shownMode),
    remaining: run.remaining,
    shown,
    text: clockText(shown),
    overtime: run.overtime,
    overtimeText: run.overtime === null ? null : `+${clockText(run.overtime + NOTHING)}`,
    /** The seconds used; null if the node reports no run. */
    used,
    /** How long the run must take, as reported by the node; null if it reports no run. */
    bounds: state.run
      ? { minimum: state.run.minimum, maximum: state.run.maximum, grace: state.run.grace ?? 0 } : null,
    elapsedText: clockText(elapsed + NOTHING),
    progress: start > 0 ? Math.min(1, Math.max(0, 1 - run.remaining / start)) : 0,
    start,
    /** The final sections of the run, in seconds, with their colours. */
    parts: {
      warning: { length: state.warning, tone: toneOf(node, 'warning') },
      final: { length: finalOf(state), tone: toneOf(node, 'final') },
    },
    timer: state.timer,
    next: state.next ?? null,
    lamps,
    /** Whether this relies on wall clocks, or on the last message of a node that is away. */
    estimate: node.availability !== 'online' || Boolean(node.counting?.estimate) || state !== node.state,
    nextChange: Math.min(run.next, nextElapsed, until, isAwaited ? run.began + HOLD_AT_ZERO : Infinity),
  };
}

/** The whole seconds that are left of the budget of the node's group; null if it has none. */
export function budgetAt({ state, counting }, now) {
  if (!state?.budget) return null;
  const isSpending = isCounting(state.mode) && counting?.made !== undefined && now !== null;
  return shownSeconds(state.budget.left - (isSpending ? (now - counting.made) / 1000 : 0));
}

/**
 * The node's wall clock at an instant, in ms since 1970, because this page's own may be wrong. Null if it is not known.
 */
export function wallAt(node, now) {
  const at = Date.parse(node?.state?.at ?? '');
  const made = node?.counting?.made ?? null;
  return Number.isNaN(at) || made === null || now === null ? null : at + (now - made);
}
