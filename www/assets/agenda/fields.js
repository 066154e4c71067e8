// Fields that only the agenda needs: days, and durations in hours and minutes.
import { t } from '../texts.js?v=';
import { h, setText } from '../ui.js?v=';
import { WEEKDAYS } from './meetings.js?v=';
import { dayText, weekdayText } from './words.js?v=';

/** A meeting lasts from a minute to a week. */
const SHORTEST = 60;
const LONGEST = 604_800;

/** A field for a duration, which is kept between a minimum and a maximum. */
export function durationField(label, seconds, onChange, { minimum = SHORTEST, maximum = LONGEST, hint = null } = {}) {
  const make = (part, limit) => h('input', {
    type: 'number', inputmode: 'numeric', min: 0, max: limit, step: 1, 'data-part': part,
    'aria-label': t('edit.part', { label, part: t(`edit.${part}`) }) });
  const [hours, minutes] = [make('hours', Math.floor(maximum / 3600)), make('minutes', 59)];
  const note = h('p', { class: 'field-note', 'aria-live': 'polite' });
  let rest = 0;
  let known = seconds;
  const show = (value) => {
    known = value;
    [hours.value, minutes.value, rest] = [Math.floor(value / 3600), Math.floor((value % 3600) / 60), value % 60];
  };
  const read = () => [[hours, 3600], [minutes, 60]].reduce((sum, [input, unit]) =>
    sum + Math.max(0, Math.trunc(Number(input.value)) || 0) * unit, rest);
  show(seconds);
  for (const input of [hours, minutes]) {
    input.addEventListener('invalid', (event) => event.preventDefault());
    input.addEventListener('focus', () => input.select());
    input.addEventListener('input', () => {
      const wished = read();
      known = Math.min(Math.max(wished, minimum), maximum);
      const limit = wished < minimum ? 'shortest' : 'longest';
      setText(note, known === wished ? '' : t(`agenda.duration.${limit}`));
      onChange(known);
    });
    input.addEventListener('change', () => show(known));
  }
  const element = h('fieldset', { class: 'field time' }, h('legend', {}, label),
    h('div', { class: 'parts' }, [[hours, 'hours'], [minutes, 'minutes']].map(([input, part]) =>
      h('label', {}, input, h('span', { 'aria-hidden': 'true' }, t(`edit.unit.${part}`))))),
    hint && h('p', { class: 'muted hint' }, hint), note);
  return { element, set value(next) { show(next ?? minimum); } };
}

/** A field for weekdays and dates, at least one of which is required. */
export function daysField(days, onChange) {
  let chosen = new Set(days);
  const boxes = new Map(WEEKDAYS.map((name) => {
    const input = h('input', { type: 'checkbox', onchange: () => toggle(name, input.checked) });
    return [name, input];
  }));
  const dates = h('ul', { class: 'dates' });
  const date = h('input', { type: 'date', 'aria-label': t('agenda.date') });
  const add = h('button', { type: 'button', onclick: () => {
    if (!date.value) {
      date.focus();
      return;
    }
    toggle(date.value, true);
    date.value = '';
  } }, t('agenda.add_date'));
  const sorted = () => [...WEEKDAYS.filter((name) => chosen.has(name)),
    ...[...chosen].filter((day) => !WEEKDAYS.includes(day)).sort()];

  function toggle(day, isChosen) {
    if (isChosen) chosen.add(day);
    else chosen.delete(day);
    draw();
    onChange(sorted());
  }
  function draw() {
    for (const [name, input] of boxes) {
      input.checked = chosen.has(name);
      // At least one day is required. The first box shows the error if there is none.
      input.setCustomValidity(chosen.size === 0 && name === WEEKDAYS[0] ? t('agenda.needs_day') : '');
    }
    dates.replaceChildren(...sorted().filter((day) => !WEEKDAYS.includes(day)).map((day) => h('li', {},
      dayText(day, { day: 'numeric', month: 'short', year: 'numeric' }),
      h('button', { type: 'button', 'aria-label': t('agenda.remove_date', { date: dayText(day) }),
        onclick: () => toggle(day, false) }, '✕'))));
  }
  draw();
  // A date that was chosen but not yet added counts as well.
  date.addEventListener('blur', (event) => { if (date.value && event.relatedTarget !== add) add.click(); });
  const element = h('fieldset', { class: 'field days' }, h('legend', {}, t('agenda.day')),
    h('div', { class: 'weekdays' }, [...boxes].map(([name, input]) =>
      h('label', { class: 'check' }, input, weekdayText(name, 'short')))),
    h('div', { class: 'add-date' }, date, add), dates);
  return { element, set value(next) { chosen = new Set([next].flat()); draw(); } };
}
