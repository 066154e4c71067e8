// The labels of a timer's times, derived from the node's words for its modes unless those are the defaults.
import { USUAL_WORDS, signalOf } from '../lamps.js?v=';
import { t, wordText } from '../texts.js?v=';

/** The mode that begins when this much time is left. When no time is left, the alarm begins. */
const MODES = { start: 'alarm', warning: 'warning', final: 'final' };

/** The node's own word for the mode that begins at a time; null for the usual word. */
export function ownWord(node, key) {
  const mode = MODES[key];
  const word = mode ? node?.signals?.[mode]?.word : null;
  return word && word !== USUAL_WORDS[mode] ? wordText(word) : null;
}

/** The name of a time: start, warning, final, minimum or maximum. */
export const timeName = (node, key) => ownWord(node, key) ?? t(`edit.${key}`);

/** The node's word for a mode. */
export const modeWord = (node, mode) => wordText(signalOf(node ?? {}, mode).word);
