// What the editor calls a timer's times: the node's words for its modes, and the lamps that light then.
import { LAMPS, USUAL_WORDS, signalOf } from '../lamps.js?v=';
import { t, wordText } from '../texts.js?v=';

/** The mode that begins at a time. When no time is left, the alarm begins. */
const MODES = { warning: 'warning', final: 'final', start: 'alarm' };

/** The node's own word for the mode that begins at a time; null for the usual word. */
function ownWord(node, key) {
  const mode = MODES[key];
  const word = mode ? node?.signals?.[mode]?.word : null;
  return word && word !== USUAL_WORDS[mode] ? wordText(word) : null;
}

/** The name of a time: warning, final, start (when the time is up), minimum or maximum. */
export const timeName = (node, key) => ownWord(node, key) ?? t(`edit.${key}`);

/** The lamp that lights at a time, and its state; null if there is none. */
function lampAt(node, key) {
  const lamps = signalOf(node ?? {}, MODES[key]).lamps ?? {};
  const name = LAMPS.find((lamp) => (lamps[lamp] ?? 'off') !== 'off');
  return name ? { name, state: lamps[name] } : null;
}

/** The label of a time's field: its lamp and its name. */
export function timeLabel(node, key) {
  const lamp = key in MODES ? lampAt(node, key) : null;
  if (!lamp) return timeName(node, key);
  const colour = t(`display.lamp.${lamp.name}`);
  const text = lamp.state === 'blink' ? t('display.lamp.blink', { name: colour }) : colour;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} · ${timeName(node, key)}`;
}

/** Whether the node's lamps are those of Toastmasters: green qualifies, yellow warns, red ends. */
export const hasCards = (node) =>
  lampAt(node, 'warning')?.name === 'green' && lampAt(node, 'final')?.name === 'yellow';

/** The node's word for a mode. */
export const modeWord = (node, mode) => wordText(signalOf(node ?? {}, mode).word);
