// Sends the command of a press, and shows the result.
import { command } from '../http.js?v=';
import { logIn } from '../place.js?v=';
import { t } from '../texts.js?v=';
import { h, refusalText, setText } from '../ui.js?v=';

const status = () => document.getElementById('status');
let clearing = null;

/** Shows a string in the line above the controls. @param {'note'|'error'} kind */
export function say(text, kind = 'note', action = null) {
  clearTimeout(clearing);
  const line = status();
  line.className = kind;
  setText(line, text);
  if (action) line.append(' ', h('button', { type: 'button', class: 'link', onclick: action.run }, action.label));
  clearing = setTimeout(() => setText(line, ''), kind === 'error' ? 10_000 : 5_000);
}

const underWay = new Set();
/** Verbs that set a value. The newest value counts, and waits for the command that is in progress. */
const WISHES = new Set(['select', 'set', 'message', 'speaker']);
/** The waiting commands by verb, each with the function that resumes it with whether the command is still wanted. */
const waiting = new Map();

function waitForTurn(verb) {
  waiting.get(verb)?.(false);
  return new Promise((resolve) => { waiting.set(verb, resolve); });
}

function finish(verb) {
  const next = waiting.get(verb);
  waiting.delete(verb);
  if (next) next(true);
  else underWay.delete(verb);
}

/**
 * Sends a command of a button, once. While one is in progress, another press of the same button sends nothing, so that
 * an impatient finger does not start what it has just stopped. Buttons that add time send every press.
 *
 * @returns the response, or null if nothing was sent.
 */
export async function send(node, verb, payload = {}, button = null) {
  if (underWay.has(verb) && verb !== 'add' && !(WISHES.has(verb) && await waitForTurn(verb))) return null;
  underWay.add(verb);
  button?.setAttribute('aria-busy', 'true');
  say('');
  const answer = await command(node, verb, payload);
  button?.removeAttribute('aria-busy');
  finish(verb);
  if (answer.ok) return answer;
  button?.classList.add('refused');
  setTimeout(() => button?.classList.remove('refused'), 600);
  const role = answer.status === 403 ? 'operator' : 'remote';
  const mayLogIn = [401, 403].includes(answer.status) && answer.code !== 'cross_site';
  say(refusalText(answer), 'error', mayLogIn ? { label: t('common.log_in'), run: () => logIn(role) } : null);
  return answer;
}
