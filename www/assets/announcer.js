// What a screen reader says of a timer, and the browser's voice if the address asks for it: the mode, that a minute is
// left, and a message. The seconds are not said.
import { isRunning } from './counting.js?v=';
import { language, setText, t } from './texts.js?v=';

const MINUTE = 60;
/** How late a page may notice that a minute is left; a timer that jumps to less is not announced. */
const LATE = 3;

/** What has changed, as sentences. */
function changes(before, now) {
  const said = [];
  if (now.word !== before.word) said.push(now.word);
  const isMinute = before.shown > MINUTE && now.shown <= MINUTE && now.shown > MINUTE - LATE;
  if (isMinute && isRunning(before.mode) && isRunning(now.mode)) said.push(t('announce.minute'));
  if (now.message && now.message !== before.message) said.push(now.message);
  return said;
}

export class Announcer {
  #region;
  #last = null;

  /** Whether the browser also speaks. */
  speaks = false;

  /** @param {Element} region an element with the role `status`. */
  constructor(region) { this.#region = region; }

  /** @param {{mode: string, word: string, shown: number, message: string|null}} now what the page shows. */
  update(now) {
    const said = this.#last ? changes(this.#last, now) : [];
    this.#last = now;
    if (said.length === 0) return;
    const text = said.join('. ');
    setText(this.#region, text);
    if (!this.speaks || !window.speechSynthesis) return;
    const speech = new SpeechSynthesisUtterance(text);
    speech.lang = language();
    window.speechSynthesis.speak(speech);
  }
}
