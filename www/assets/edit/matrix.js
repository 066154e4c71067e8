// The matrix: a row for each group with its timers, and a + wherever there is room.
import { clockText } from '../counting.js?v=';
import { keepFocus, redraw } from '../redraw.js?v=';
import { t } from '../texts.js?v=';
import { h } from '../ui.js?v=';
import { CAPACITY } from './clamps.js?v=';
import { groupName, settingText, timerName } from './differences.js?v=';
import { timeName } from './words.js?v=';

const bound = (seconds) => (seconds ? clockText(seconds) : '…');

function details(timer, node) {
  const times = ['warning', 'final'].filter((key) => timer[key] > 0)
    .map((key) => t('edit.detail', { field: timeName(node, key), time: clockText(timer.start - timer[key]) }));
  const bounds = timer.minimum || timer.maximum
    ? [t('edit.qualifies', { minimum: bound(timer.minimum), maximum: bound(timer.maximum) })] : [];
  return [...times, ...bounds, ...(timer.carry ? [t('edit.account')] : [])];
}

function cell(timer, { group, item, actions, selected, node }) {
  const name = timerName(timer);
  const isSelected = selected?.id === timer.id;
  const state = isSelected ? t(`edit.state.${selected.mode === 'stopped' ? 'selected' : 'active'}`) : null;
  return h('li', { class: `cell${isSelected ? ' is-selected' : ''}`, 'data-id': timer.id },
    h('button', {
      type: 'button', class: 'timer', 'data-focus': `timer ${timer.id}`, onclick: () => actions.edit(timer.id) },
      h('span', { class: 'path muted' }, `${group + 1}/${item + 1}`, state && h('span', { class: 'badge' }, state)),
      h('strong', { class: 'name' }, name),
      h('span', { class: 'start' }, clockText(timer.start)),
      h('span', { class: 'details muted' }, details(timer, node).map((text) => h('span', {}, text))),
      [timer.event, timer.location].filter(Boolean).map((text) => h('span', { class: 'place' }, text))),
    h('div', { class: 'tools' },
      h('button', {
        type: 'button', class: 'grip', 'data-focus': `grip ${timer.id}`, 'aria-label': t('edit.move', { timer: name }),
        title: t('edit.move.hint'), 'aria-describedby': 'move-hint' }, '⠿'),
      h('button', {
        type: 'button', class: 'bin', 'data-focus': `bin ${timer.id}`, 'aria-label': t('edit.delete', { timer: name }),
        title: t('edit.delete', { timer: name }), onclick: () => actions.remove(timer.id) }, '✕')));
}

function row(group, place, context) {
  const name = groupName(group, place);
  const room = group.timers.length < CAPACITY && h('li', { class: 'cell add' },
    h('button', {
      type: 'button', class: 'plus', 'data-focus': `plus ${place}`, 'aria-label': t('edit.add', { group: name }),
      title: t('edit.add', { group: name }), onclick: () => context.actions.add(place) },
    `+ ${t('edit.add_timer')}`));
  const settings = ['display', 'alarm', 'at_zero'].filter((key) => group[key] !== 'none')
    .map((key) => (key === 'at_zero' ? t(`edit.at_zero.short.${group[key]}`) : settingText(key, group[key])));
  if (group.budget) settings.push(t('edit.budget', { time: clockText(group.budget) }));
  return h('section', { class: 'row', 'data-group': place, 'aria-label': t('edit.group_label', { group: name }) },
    h('div', { class: 'row-head' },
      h('h2', {}, h('span', { class: 'muted' }, `${place + 1} `), name),
      h('p', { class: 'muted settings' }, settings.join(' · ')),
      h('button', {
        type: 'button', class: 'group-settings', 'data-focus': `group ${place}`,
        'aria-label': t('edit.group_settings', { group: name }), onclick: () => context.actions.editGroup(place) },
      t('edit.settings'))),
    h('ol', { class: 'cells' },
      group.timers.map((timer, item) => cell(timer, { ...context, group: place, item })), room));
}

/** Draws a model and keeps the focus. */
export function drawMatrix(element, model, context) {
  keepFocus(element, ({ dataset }) => dataset.focus, () => redraw(element, [
    ...model.groups.map((group, place) => row(group, place, context)),
    h('section', { class: 'row new', 'data-group': model.groups.length, 'aria-label': t('edit.add_group') },
      h('button', {
        type: 'button', class: 'plus', 'data-focus': 'plus group', onclick: () => context.actions.addGroup() },
        `+ ${t('edit.add_group')}`))]));
}

/** Focuses the element with this name. */
export function focus(element, name) {
  [...element.querySelectorAll('[data-focus]')].find((one) => one.dataset.focus === name)?.focus();
}
