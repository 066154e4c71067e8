// The state of a node's lamps at an instant. Pure functions; all instants are the server's ms.

/** The outputs of a node that make noise, which a page does not draw. */
const NOISY = new Set(['buzzer', 'horn', 'vibrate']);
/** The lamps of a stoplight, from top to bottom. */
export const LAMPS = ['red', 'yellow', 'green'];
/** More than three flashes within a second may cause a seizure (WCAG 2.3.1). */
const SHORTEST_PERIOD = 1000 / 3;
const FLASH = [425, 425];
const SLOW_FLASH = [500, 1500];

/** Whether a pattern flashes more than three times a second. */
function isTooFast({ steps_ms: steps, repeat }) {
  const wraps = repeat ? steps.length : steps.length - 2;
  for (let on = 0; on < wraps; on += 2) {
    if (steps[on] + (steps[(on + 1) % steps.length] ?? 0) < SHORTEST_PERIOD) return true;
  }
  return false;
}

/** Whether a pattern is on at an instant, and when that changes. A pattern that would flash too fast is always on. */
export function patternAt(pattern, now) {
  const length = pattern.steps_ms.reduce((sum, step) => sum + step, 0);
  const passed = now - pattern.began;
  if (length <= 0) return { lit: false, until: Infinity };
  if (passed < 0) return { lit: false, until: pattern.began };
  if (!pattern.repeat && passed >= length) return { lit: false, until: Infinity };
  if (isTooFast(pattern)) return { lit: true, until: pattern.repeat ? Infinity : pattern.began + length };
  // Instants are counted from the beginning of the pattern, so the next one is never rounded to before now.
  let end = pattern.began + Math.floor(passed / length) * length;
  for (const [place, step] of pattern.steps_ms.entries()) {
    end += step;
    if (now < end) return { lit: place % 2 === 0, until: end };
  }
  return { lit: pattern.steps_ms.length % 2 === 0, until: end + pattern.steps_ms[0] };
}

/** The default words for a node's modes. */
export const USUAL_WORDS = {
  stopped: 'Stopped', countdown: 'Running', warning: 'Warning', final: 'Final', alarm: 'Overtime', paused: 'Paused',
};

/** The node's signals for a mode: a word, and its lamps; null for the lamps of the mode that was paused. */
export const signalOf = (node, mode) => node.signals?.[mode] ?? { word: mode, lamps: {} };

const isLit = (state = 'off') => state !== 'off';

/** The topmost lamp of a mode, whose colour represents the mode; null if it has none. */
export function toneOf(node, mode) {
  const { lamps } = signalOf(node, mode);
  return LAMPS.find((name) => isLit(lamps?.[name])) ?? null;
}

/** The expected outputs in a mode that the node has not reported yet. */
export function expectedOutputs(node, mode) {
  const own = signalOf(node, mode).lamps;
  const lamps = own ?? signalOf(node, node.state.paused_mode ?? 'countdown').lamps ?? {};
  return Object.fromEntries(LAMPS.map((name) => {
    const state = lamps[name] ?? 'off';
    return [name, own === null && isLit(state) ? 'blink' : state];
  }));
}

/**
 * Each lamp with its state (`on`, `off`, `blink`), whether it is lit now, and when that changes next.
 *
 * @param outputs as reported by the node, or as expected.
 * @param patterns those of the blinking outputs; without one an output blinks with the node's default pattern.
 * @param began when the mode began.
 * @param {boolean} isSteady whether to avoid flashing: blinking lamps are lit.
 */
export function lampsAt({ outputs, patterns, mode, began }, now, isSteady) {
  const lamps = {};
  let until = Infinity;
  for (const [name, state] of Object.entries(outputs)) {
    if (NOISY.has(name)) continue;
    let found = { lit: state !== 'off', until: Infinity };
    if (state === 'blink' && !isSteady) {
      const steps = mode === 'paused' ? SLOW_FLASH : FLASH;
      found = patternAt(patterns?.[name] ?? { steps_ms: steps, repeat: true, began: began ?? 0 }, now);
    }
    lamps[name] = { state, lit: found.lit };
    until = Math.min(until, found.until);
  }
  return { lamps, until };
}
