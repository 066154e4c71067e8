// What the lamps of a node show at an instant. Pure; all instants are the server's ms.

/** The outputs of a node that make a noise, which a page does not draw. */
const NOISY = new Set(['buzzer', 'horn', 'vibrate']);
/** The lamps of a stoplight from its top. */
export const LAMPS = ['red', 'yellow', 'green'];
/** More than three flashes within a second may cause a seizure (WCAG 2.3.1). */
const SHORTEST_PERIOD = 1000 / 3;
const FLASH = [425, 425];
const SLOW_FLASH = [500, 1500];

/** Whether a pattern goes on more often than three times a second. */
function isTooFast({ steps_ms: steps, repeat }) {
  const wraps = repeat ? steps.length : steps.length - 2;
  for (let on = 0; on < wraps; on += 2) {
    if (steps[on] + (steps[(on + 1) % steps.length] ?? 0) < SHORTEST_PERIOD) return true;
  }
  return false;
}

/** Whether a pattern is on at an instant, and when that changes. What would flash too fast is on all the time. */
export function patternAt(pattern, now) {
  const length = pattern.steps_ms.reduce((sum, step) => sum + step, 0);
  const passed = now - pattern.began;
  if (length <= 0) return { lit: false, until: Infinity };
  if (passed < 0) return { lit: false, until: pattern.began };
  if (!pattern.repeat && passed >= length) return { lit: false, until: Infinity };
  if (isTooFast(pattern)) return { lit: true, until: pattern.repeat ? Infinity : pattern.began + length };
  // Instants are counted from the beginning, so that the next one is never rounded to before now.
  let end = pattern.began + Math.floor(passed / length) * length;
  for (const [place, step] of pattern.steps_ms.entries()) {
    end += step;
    if (now < end) return { lit: place % 2 === 0, until: end };
  }
  return { lit: pattern.steps_ms.length % 2 === 0, until: end + pattern.steps_ms[0] };
}

/** What a node calls its modes unless it is configured otherwise. */
export const USUAL_WORDS = {
  stopped: 'Stopped', countdown: 'Running', warning: 'Warning', final: 'Final', alarm: 'Overtime', paused: 'Paused',
};

/** What a node means by a mode, as it says: a word, and its lamps; null for the lamps of the mode that is paused. */
export const signalOf = (node, mode) => node.signals?.[mode] ?? { word: mode, lamps: {} };

const isLit = (state = 'off') => state !== 'off';

/** The topmost lamp of a mode, whose colour stands for the mode; null where it has none. */
export function toneOf(node, mode) {
  const { lamps } = signalOf(node, mode);
  return LAMPS.find((name) => isLit(lamps?.[name])) ?? null;
}

/** What the outputs are in a mode of which the node has not told yet. */
export function expectedOutputs(node, mode) {
  const own = signalOf(node, mode).lamps;
  const lamps = own ?? signalOf(node, node.state.paused_mode ?? 'countdown').lamps ?? {};
  return Object.fromEntries(LAMPS.map((name) => {
    const state = lamps[name] ?? 'off';
    return [name, own === null && isLit(state) ? 'blink' : state];
  }));
}

/**
 * Each lamp with what it does (`on`, `off`, `blink`) and whether it is lit now; and when that changes next.
 *
 * @param outputs what the node says, or what is expected.
 * @param patterns those of the outputs that blink; without one they blink as the node's do by default.
 * @param began when the mode began.
 * @param {boolean} isSteady no flashing: what blinks is lit.
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
