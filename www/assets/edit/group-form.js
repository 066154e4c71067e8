// The form for a group: its display, its sounds, and what happens at zero.
import { failureText, formDialog } from '../dialog.js?v=';
import { clockField, selectField, textField } from '../fields.js?v=';
import { command } from '../http.js?v=';
import { t } from '../texts.js?v=';
import { feel, h, setText } from '../ui.js?v=';
import { LONGEST_BUDGET } from './clamps.js?v=';
import { differences, groupName } from './differences.js?v=';
import { editGroup, idsOf } from './operations.js?v=';
import { Preview } from './preview.js?v=';

/** The patterns of every node; a configuration may define more. */
const PATTERNS = ['beep', 'double', 'triple', 'long', 'alarm'];
// No pattern can have this name.
const OTHER = ' other';

/** All known patterns: the standard ones, and the ones that the groups name. */
function patternsOf(model) {
  const named = model.groups.flatMap(({ sound, transition }) => [sound, transition]);
  return [...new Set([...PATTERNS, ...named.filter((name) => name && name !== 'none')])];
}

/** A choice of patterns, with a button that plays one on the node's buzzer. */
function soundField(node, key, value, patterns, onChange) {
  const choices = [['', t('edit.sound.profile')], ['none', t('edit.sound.none')],
    ...patterns.map((name) => [name, name]), [OTHER, t('edit.sound.other')]];
  const other = textField(t('edit.sound.name'), '', { onChange: () => changed() });
  other.element.hidden = true;
  const select = selectField(t(`edit.group.${key}`), value ?? '', choices, () => {
    other.element.hidden = select.value !== OTHER;
    changed();
    if (select.value === OTHER) other.input.focus();
  });
  const answer = h('span', { class: 'field-note', role: 'status' });
  const listen = h('button', { type: 'button', class: 'listen', onclick: async () => {
    feel(listen);
    setText(answer, '');
    const done = await command(node, 'beep', read() ? { sound: read() } : {});
    setText(answer, done.ok ? t('edit.sound.played') : failureText(done));
  } }, t('edit.listen'));
  const read = () => (select.value === OTHER ? other.value : select.value);
  function changed() {
    // Only the node knows a profile's own sound, and silence cannot be played.
    listen.disabled = read() === 'none' || read() === '';
    onChange(read());
  }
  listen.setAttribute('aria-label', t('edit.listen_to', { sound: t(`edit.group.${key}`) }));
  listen.disabled = !value || value === 'none';
  return {
    element: h('div', { class: 'sound' }, select.element, listen, other.element, answer),
    set value(next) {
      const isKnown = choices.some(([choice]) => choice === (next ?? ''));
      select.value = isKnown ? next ?? '' : OTHER;
      other.element.hidden = isKnown;
      if (!isKnown) other.value = next;
      listen.disabled = !next || next === 'none';
    },
  };
}

/** A field for the time that all runs of a group may take together; empty for none. */
function budgetField(seconds, onChange) {
  const made = clockField(t('edit.group.budget'), seconds, { longest: LONGEST_BUDGET, onChange });
  made.element.append(h('p', { class: 'muted hint' }, t('edit.group.budget.hint')));
  return made;
}

/** Opens the form of a group, counted from 0; `node` is the node as received. */
export function openGroupForm(document, place, { node = {}, extra = null } = {}) {
  const model = document.shown;
  let group = model.groups[place];
  const ids = idsOf(group);
  let wishes = {};
  let basedOn = document.revision;
  const preview = new Preview();
  const wish = (key, value) => {
    wishes[key] = value;
    show();
  };
  const value = (key) => wishes[key] ?? group[key] ?? '';
  const choices = (key, names) => names.map((name) => [name, t(`edit.${key}.${name}`)]);
  const fields = {
    name: textField(t('edit.group.name'), group.name, { onChange: (text) => wish('name', text.trim()) }),
    ...Object.fromEntries([['display', ['numerical', 'circular', 'stoplights']],
      ['alarm', ['none', 'sound', 'vibrate', 'soundVibrate']], ['at_zero', ['next', 'alarm']]].map(([key, names]) =>
      [key, selectField(t(`edit.group.${key}`), group[key], choices(key, names), (choice) => wish(key, choice))])),
    ...Object.fromEntries(['sound', 'transition'].map((key) =>
      [key, soundField(document.node, key, group[key], patternsOf(model), (name) => wish(key, name))])),
  };
  fields.budget = budgetField(group.budget, (seconds) => wish('budget', seconds || ''));
  const show = () => preview.show(value('display'), group.timers[0], node);
  const fill = () => {
    for (const [key, one] of Object.entries(fields)) one.value = value(key);
    show();
  };
  /** The values that differ from the group's. */
  const changes = () => Object.fromEntries(Object.entries(wishes).filter(([key, one]) => one !== (group[key] ?? '')));
  const send = () => document.change(editGroup(ids, changes()), { basedOn });
  show();
  return formDialog({
    title: t('edit.group_title', { group: groupName(group, place) }),
    children: [fields.name.element,
      h('div', { class: 'with-preview' }, fields.display.element,
        h('figure', {}, preview.element, preview.word, h('figcaption', { class: 'muted' }, t('edit.preview')))),
      ...['alarm', 'sound', 'transition', 'at_zero', 'budget'].map((key) => fields[key].element)],
    extra,
    save: send,
    isDirty: () => Object.keys(changes()).length > 0,
    conflict: ({ base, theirs }) => ({
      texts: differences(base, theirs),
      take: () => {
        const mine = wishes;
        basedOn = document.revision;
        const now = theirs.groups.find((one) => one.timers.some(({ id }) => ids.includes(id)));
        if (!now) return { isGone: true };
        group = now;
        wishes = {};
        fill();
        return {
          putBack: () => {
            wishes = { ...mine };
            fill();
          },
        };
      },
      anew: () => {
        basedOn = document.revision;
        return send();
      },
    }),
    onClose: () => preview.end(),
  });
}
