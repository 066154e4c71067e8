// The changes made on the rooms page: selecting a timer, and adding one.
import { serverNow } from '../clock.js?v=';
import { count } from '../counting.js?v=';
import { CAPACITY, LONGEST } from '../edit/clamps.js?v=';
import { command } from '../http.js?v=';
import { isSame } from '../same.js?v=';
import { settings } from '../settings.js?v=';
import { t } from '../texts.js?v=';
import { leftOf } from './card.js?v=';
import { confirmDialog, h, nodeName, refusalText, toast } from '../ui.js?v=';

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

/** The seconds of m:ss, h:mm:ss, or minutes only; null if the string is not a time. */
export function secondsOf(text) {
  const parts = text.trim().split(':');
  if (parts.length > 3 || !parts.every((part) => /^\d{1,5}$/.test(part))) return null;
  if (parts.slice(1).some((part) => Number(part) > 59 || part.length !== 2)) return null;
  const numbers = parts.length === 1 ? [parts[0], 0] : parts;
  const seconds = numbers.reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds > 0 && seconds <= LONGEST ? seconds : null;
}

/** The node's timers with one more, at the end of a group or in a new group. */
function withTimer(timers, place, timer) {
  const groups = timers.groups.map((group) => ({ ...group, timers: [...group.timers] }));
  if (place < groups.length) groups[place].timers.push(timer);
  else groups.push({ ...groups.at(-1), name: timer.name, timers: [timer] });
  return { ...timers, groups };
}

/**
 * The groups that a timer may be added to.
 *
 * @returns the field, and a function that shows the current groups in it. The chosen group stays selected if it has
 *   room.
 */
function groupField() {
  const select = h('select', { name: 'group' });
  let groups = null;
  const show = (timers) => {
    if (isSame(timers.groups, groups)) return;
    const ids = groups?.[select.value]?.timers.map(({ id }) => id) ?? [];
    const isChosen = ({ timers: members }) => groups === null || members.some(({ id }) => ids.includes(id));
    const chosen = timers.groups.findIndex((group) => group.timers.length < CAPACITY && isChosen(group));
    ({ groups } = timers);
    select.replaceChildren(
      ...groups.map((group, index) => h('option', { value: index, disabled: group.timers.length >= CAPACITY },
        group.name || String(index + 1))),
      h('option', { value: groups.length }, t('rooms.new_own')));
    select.value = chosen < 0 ? groups.length : chosen;
  };
  return { select, show };
}

/**
 * Asks for a timer and adds it. Its last fifth is the warning time and its last twentieth the final time, until it is
 * edited.
 */
export function addTimer(live, id) {
  const name = h('input', { name: 'name', maxlength: 60, required: true, autocomplete: 'off' });
  const time = h('input', { name: 'time', placeholder: '5:00', required: true, autocomplete: 'off' });
  const [event, location] = ['event', 'location'].map((field) =>
    h('input', { name: field, maxlength: 60, autocomplete: 'off' }));
  const { select, show } = groupField();
  let timers;
  // The change is based on what is shown: someone else may change the timers while the dialog is open.
  const update = () => {
    timers = live.nodes.get(id)?.timers ?? timers;
    show(timers);
  };
  update();
  const problem = h('p', { class: 'error', role: 'alert' });
  const label = (text, input) => h('label', {}, h('span', {}, text), input);
  const form = h('form', { method: 'dialog', class: 'fields' },
    h('h2', {}, t('rooms.add_to', { name: nodeName(live.nodes.get(id)) })),
    label(t('rooms.new_name'), name), label(t('rooms.new_duration'), time), label(t('edit.event'), event),
    label(t('edit.location'), location), label(t('rooms.new_group'), select), problem,
    h('div', { class: 'buttons' },
      h('button', { type: 'button', onclick: () => dialog.close() }, t('common.cancel')),
      h('button', { type: 'submit', class: 'primary' }, t('rooms.save'))));
  const dialog = h('dialog', { class: 'dialog' }, form);
  form.addEventListener('submit', async (submitted) => {
    submitted.preventDefault();
    const start = secondsOf(time.value);
    problem.textContent = start === null ? t('rooms.bad_duration') : '';
    if (start === null) return;
    const timer = {
      name: name.value.trim(), start, warning: Math.floor(start / 5), final: Math.floor(start / 20),
      ...(event.value.trim() && { event: event.value.trim() }),
      ...(location.value.trim() && { location: location.value.trim() }),
    };
    const answer = await command(id, 'timers', withTimer(timers, Number(select.value), timer));
    if (answer.ok) {
      dialog.close();
      toast(t('rooms.added', { name: timer.name }));
    } else {
      problem.textContent = answer.code === 'conflict' ? t('rooms.conflict') : refusalText(answer);
    }
  });
  live.addEventListener('change', update);
  dialog.addEventListener('close', () => {
    live.removeEventListener('change', update);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}
