// Describes in words how someone else has changed the timers.
import { clockText } from '../counting.js?v=';
import { t } from '../texts.js?v=';
import { find, idsOf } from './operations.js?v=';

const TIMES = ['start', 'warning', 'final', 'minimum', 'maximum'];
const TEXTS = ['name', 'event', 'location'];
const SETTINGS = ['name', 'display', 'alarm', 'sound', 'transition', 'at_zero', 'budget'];

/** The name of a timer, or a substitute if it has none. */
export const timerName = (timer) => timer.name || t('edit.unnamed_timer');
/** The name of a group; groups are counted from 0. */
export const groupName = (group, place) => group.name || t('edit.unnamed_group', { number: place + 1 });

/** A time of a timer as the editor shows it: how much of the timer has been used then. */
function timeText(timer, field) {
  if (!timer[field]) return t('edit.none');
  return clockText(['warning', 'final'].includes(field) ? timer.start - timer[field] : timer[field]);
}
const textOf = (value) => (value ? t('edit.quoted', { text: value }) : t('edit.none'));

/** The value of a setting of a group, in words. */
export function settingText(field, value) {
  if (field === 'name') return textOf(value);
  if (field === 'budget') return value ? clockText(value) : t('edit.none');
  if (field === 'sound' || field === 'transition') return value || t('edit.sound.profile');
  return t(`edit.${field}.${value}`);
}

function differencesOfTimer(old, now) {
  const fields = [
    ...TEXTS.map((field) => [field, textOf(old[field]), textOf(now[field])]),
    ...TIMES.map((field) => [field, timeText(old, field), timeText(now, field)]),
    ['account', ...[old, now].map(({ carry = false }) => t(carry ? 'agenda.yes' : 'agenda.no'))],
  ];
  return fields.filter(([, before, after]) => before !== after).map(([field, before, after]) =>
    t('edit.diff.timer', { timer: timerName(old), field: t(`edit.${field}`), before, after }));
}

function differencesOfPlaces(base, theirs) {
  const texts = [];
  for (const [place, group] of theirs.groups.entries()) {
    for (const timer of group.timers) {
      const old = find(base, timer.id);
      if (!old) {
        texts.push(t('edit.diff.added', { timer: timerName(timer), group: groupName(group, place) }));
      } else {
        texts.push(...differencesOfTimer(old.timer, timer));
        const stayed = idsOf(base.groups[old.group]).some((id) => id !== timer.id && idsOf(group).includes(id));
        const isAlone = base.groups[old.group].timers.length === 1 && group.timers.length === 1;
        if (!stayed && !isAlone) {
          texts.push(t('edit.diff.moved', { timer: timerName(timer), group: groupName(group, place) }));
        }
      }
    }
  }
  return texts;
}

/** The corresponding group of another model: the first that shares a timer. */
const counterpart = (model, group) =>
  model.groups.find(({ timers }) => timers.some(({ id }) => idsOf(group).includes(id)));

/** The differences between two models, one sentence each. */
export function differences(base, theirs) {
  const texts = differencesOfPlaces(base, theirs);
  for (const timer of base.groups.flatMap(({ timers }) => timers)) {
    if (!find(theirs, timer.id)) texts.push(t('edit.diff.removed', { timer: timerName(timer) }));
  }
  for (const [place, group] of base.groups.entries()) {
    const other = counterpart(theirs, group);
    for (const field of other ? SETTINGS : []) {
      const [before, after] = [group, other].map((one) => settingText(field, one[field]));
      if (before !== after) {
        const values = { group: groupName(group, place), field: t(`edit.group.${field}`), before, after };
        texts.push(t('edit.diff.group', values));
      }
    }
  }
  const order = (model, other) => model.groups.flatMap(idsOf).filter((id) => find(other, id)).join();
  if (texts.length === 0 && order(base, theirs) !== order(theirs, base)) texts.push(t('edit.diff.order'));
  return texts.length > 0 ? texts : [t('edit.diff.other')];
}
