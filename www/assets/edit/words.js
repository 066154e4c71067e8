// What the times of a timer are called: by the words that the node has for its modes, where they are not the usual ones.
import { USUAL_WORDS, signalOf } from '../lamps.js?v=';
import { t, wordText } from '../texts.js?v=';

/** The mode that begins when so much is left. Where nothing is left the alarm begins. */
const MODES = { start: 'alarm', warning: 'warning', final: 'final' };

/** The node's own word for the mode that a time leads to; null for the usual one. */
export function ownWord(node, key) {
  const mode = MODES[key];
  const word = mode ? node?.signals?.[mode]?.word : null;
  return word && word !== USUAL_WORDS[mode] ? wordText(word) : null;
}

/** What a time is called: start, warning, final, minimum or maximum. */
export const timeName = (node, key) => ownWord(node, key) ?? t(`edit.${key}`);

/** What a node calls a mode. */
export const modeWord = (node, mode) => wordText(signalOf(node ?? {}, mode).word);
