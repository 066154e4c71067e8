// What a node's timer shows at an instant: computed, so that it needs no messages. Pure.

/** How long a page shows 0 before the alarm, unless the node says what came instead: the next timer of a sequence. */
export const HOLD_AT_ZERO = 300;

const RUNNING = new Set(['countdown', 'warning', 'final']);

/** m:ss, or h:mm:ss from an hour. */
export function clockText(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value) => String(value).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** The whole seconds that a display shows: 0 only once there is nothing left. */
export const shownSeconds = (remaining) => Math.max(0, Math.ceil(remaining - 1e-6));

/** The mode of a running timer with so much left. */
function modeAt(remaining, { final, warning }) {
  if (remaining <= final) return 'final';
  return remaining <= warning ? 'warning' : 'countdown';
}

/** Whether a pattern is on at an instant, and when that changes; both in the server's ms. */
export function patternAt(pattern, now) {
  const length = pattern.steps_ms.reduce((sum, step) => sum + step, 0);
  const passed = now - pattern.began;
  if (length <= 0 || passed < 0) return { lit: false, until: pattern.began };
  if (!pattern.repeat && passed >= length) return { lit: false, until: Infinity };
  let rest = passed % length;
  for (const [place, step] of pattern.steps_ms.entries()) {
    if (rest < step) return { lit: place % 2 === 0, until: now + step - rest };
    rest -= step;
  }
  return { lit: false, until: now + 1 };
}

function lampsAt(node, now) {
  const lamps = {};
  let until = Infinity;
  for (const [name, state] of Object.entries(node.state.outputs ?? {})) {
    const pattern = state === 'blink' ? node.patterns?.[name] : null;
    const found = pattern ? patternAt(pattern, now) : { lit: state !== 'off', until: Infinity };
    lamps[name] = { state, lit: found.lit };
    until = Math.min(until, found.until);
  }
  return { lamps, until };
}

/**
 * What a node shows now.
 *
 * @param node as the server tells it.
 * @param {number|null} now the server's ms; null where they are not known yet.
 * @returns null where the node's state is not known, else the mode that its lamps show, what is left in exact and whole
 *   seconds, and when any of that changes next (in the server's ms).
 */
export function count(node, now) {
  const state = node?.state;
  if (!state || now === null) return null;
  const zero = node.counting?.zero ?? null;
  const paused = state.mode === 'paused';
  let mode = state.mode;
  let remaining = Math.max(0, state.precise_remaining);
  let overtime = state.mode === 'alarm' || state.paused_mode === 'alarm' ? state.overtime ?? 0 : null;
  let nextChange = Infinity;
  if (RUNNING.has(mode) && zero !== null) {
    remaining = Math.max(0, (zero - now) / 1000);
    mode = modeAt(remaining, state);
    if (remaining > 0) {
      nextChange = zero - (shownSeconds(remaining) - 1) * 1000;
    } else if (now < zero + HOLD_AT_ZERO || state.next) {
      // The node says what follows; where it does not, the alarm does.
      nextChange = now < zero + HOLD_AT_ZERO ? zero + HOLD_AT_ZERO : Infinity;
    } else {
      mode = 'alarm';
      overtime = (now - zero) / 1000;
      nextChange = zero + (Math.floor(overtime) + 1) * 1000;
    }
  } else if (mode === 'alarm' && zero !== null) {
    remaining = 0;
    overtime = Math.max(0, (now - zero) / 1000);
    nextChange = zero + (Math.floor(overtime) + 1) * 1000;
  }
  const { lamps, until } = lampsAt(node, now);
  const start = state.start || 0;
  const estimate = node.availability !== 'online' || Boolean(node.counting?.estimate);
  return {
    mode,
    paused,
    /** The mode whose colours are shown: a pause keeps those of what it interrupts. */
    shownMode: paused ? state.paused_mode ?? 'countdown' : mode,
    remaining,
    shown: shownSeconds(remaining),
    text: clockText(shownSeconds(remaining)),
    overtime,
    overtimeText: overtime === null ? null : `+${clockText(overtime)}`,
    elapsed: start > 0 ? Math.max(0, start - remaining + (overtime ?? 0)) : state.elapsed,
    progress: start > 0 ? Math.min(1, Math.max(0, 1 - remaining / start)) : state.progress,
    lamps,
    estimate,
    nextChange: Math.min(nextChange, until),
  };
}
