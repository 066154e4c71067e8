// Sending what a press asks for, and saying what came of it.
import { command } from '../http.js?v=';
import { logIn } from '../place.js?v=';
import { t } from '../texts.js?v=';
import { h, refusalText, setText } from '../ui.js?v=';

const status = () => document.getElementById('status');
let clearing = null;

/** Says something in the line above the controls. @param {'note'|'error'} kind */
export function say(text, kind = 'note', action = null) {
  clearTimeout(clearing);
  const line = status();
  line.className = kind;
  setText(line, text);
  if (action) line.append(' ', h('button', { type: 'button', class: 'link', onclick: action.run }, action.label));
  clearing = setTimeout(() => setText(line, ''), kind === 'error' ? 10_000 : 5_000);
}

const underWay = new Set();

/**
 * Sends a command of a button, once. While one is under way another press of the same button sends nothing, so that an
 * impatient finger does not start what it has just stopped; time is added as often as somebody asks.
 */
export async function send(node, verb, payload = {}, button = null) {
  const isRepeatable = verb === 'add';
  if (underWay.has(verb) && !isRepeatable) return null;
  underWay.add(verb);
  button?.setAttribute('aria-busy', 'true');
  say('');
  const answer = await command(node, verb, payload);
  underWay.delete(verb);
  button?.removeAttribute('aria-busy');
  if (answer.ok) return answer;
  button?.classList.add('refused');
  setTimeout(() => button?.classList.remove('refused'), 600);
  const role = answer.status === 403 ? 'operator' : 'remote';
  const mayLogIn = answer.status === 401 || answer.status === 403;
  say(refusalText(answer), 'error', mayLogIn ? { label: t('common.log_in'), run: () => logIn(role) } : null);
  return answer;
}
