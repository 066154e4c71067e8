// The change made on the rooms page: selecting a timer.
import { serverNow } from '../clock.js?v=';
import { count } from '../counting.js?v=';
import { command } from '../http.js?v=';
import { settings } from '../settings.js?v=';
import { t } from '../texts.js?v=';
import { leftOf } from './card.js?v=';
import { confirmDialog, refusalText, toast } from '../ui.js?v=';

function keepLeft(node, changes) {
  const left = { ...leftOf(node), ...changes };
  for (const [id, seconds] of Object.entries(left)) if (seconds === null) delete left[id];
  settings.set('left', { ...settings.get('left'), [node]: left });
}

async function send(node, verb, payload) {
  const answer = await command(node.id, verb, payload);
  if (!answer.ok) toast(refusalText(answer), 'error');
  return answer.ok;
}

/**
 * Selects a timer. That ends a running timer, so the user is asked first; the time left of a paused one is remembered.
 */
export async function select(node, timer, path, name) {
  const { state } = node;
  const left = leftOf(node.id)[timer.id];
  const isGoing = !['stopped', 'paused'].includes(state.mode);
  const question = t('rooms.confirm_select', { name, running: state.timer.name });
  if (isGoing && !(await confirmDialog(question, t('rooms.select')))) return;
  const leaving = state.mode === 'paused' ? { [state.timer.id]: count(node, serverNow())?.shown } : {};
  if (!(await send(node, 'select', { timer: path }))) return;
  keepLeft(node.id, leaving);
  // If setting the time failed, keep it, so that selecting the timer again retries.
  if (!(left > 0) || await send(node, 'set', { remaining: left })) keepLeft(node.id, { [timer.id]: null });
}
