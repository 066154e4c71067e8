// The tables of a report: one for each part of an evening.
import { clockText } from '../counting.js?v=';
import { verdict } from '../qualification.js?v=';
import { t, timeOfDay } from '../texts.js?v=';
import { h } from '../ui.js?v=';
import { parts } from './runs.js?v=';

function allowed({ minimum, maximum }) {
  if (!minimum && !maximum) return '–';
  const kind = minimum && maximum ? 'between' : minimum ? 'from' : 'to';
  return t(`report.allowed.${kind}`, { minimum: clockText(minimum ?? 0), maximum: clockText(maximum ?? 0) });
}

const qualified = (run) => ({ true: 'yes', false: 'no' }[String(run.qualified)] ?? 'none');

/** The verdict in words: a run outside its bounds may qualify within the grace. */
function verdictText(run) {
  const { kind } = verdict(run.used, run);
  const isByGrace = run.qualified === true && (kind === 'early' || kind === 'late');
  return t(`report.qualified.${isByGrace ? kind : qualified(run)}`, { grace: run.grace });
}

/** The cell with the name; a button for users who may change it. */
function speakerCell(run, amend) {
  const name = run.speaker || t('report.nobody');
  if (!amend) return h('th', { scope: 'row' }, name);
  return h('th', { scope: 'row' }, h('button', {
    type: 'button', class: 'name', 'aria-label': t('report.amend', { name }),
    onclick: (event) => edit(event.currentTarget, run, amend),
  }, name));
}

/** Turns the button into a field. Enter or leaving the field saves, Escape does not. */
function edit(button, run, amend) {
  const field = h('input', {
    value: run.speaker ?? '', maxlength: 128, list: 'names', 'aria-label': t('report.amend.field'),
    autocapitalize: 'words', autocomplete: 'off', enterkeyhint: 'done',
  });
  let isOver = false;
  const end = (isSaved) => {
    if (isOver) return;
    isOver = true;
    const name = field.value.trim();
    const isLeft = document.activeElement !== field;
    field.replaceWith(button);
    if (!isLeft) button.focus();
    amend(run, isSaved && name !== (run.speaker ?? '') ? name : null);
  };
  field.addEventListener('keydown', (event) => {
    if (!['Enter', 'Escape'].includes(event.key)) return;
    // Otherwise the key would press the button that receives the focus.
    event.preventDefault();
    end(event.key === 'Enter');
  });
  field.addEventListener('blur', () => end(true));
  button.replaceWith(field);
  field.focus();
  field.select();
}

/** The mark of a time that was corrected, with the one that the node measured. */
const correction = ({ measured }) => (measured === undefined ? null
  : h('span', { title: t('report.measured', { time: clockText(measured) }) }, ' ✎'));

/** What is said in small below the main value of a cell; nothing if there is nothing to say. */
const below = (text) => text && h('span', { class: 'below' }, text);

function row(run, amend) {
  const timer = run.name || run.timer;
  const total = run.total !== undefined && t('report.total', { time: clockText(run.total) });
  const planned = run.planned && t('programme.planned', { time: timeOfDay(run.planned) });
  return h('tr', { dataset: { run: run.id } },
    h('td', { class: 'at' }, timeOfDay(run.started_at), below(planned)),
    speakerCell(run, amend),
    h('td', { class: 'timer' }, run.title ?? timer, below(run.title && run.title !== timer && timer)),
    h('td', { class: 'number used' }, clockText(run.used), correction(run), below(total)),
    h('td', { class: 'number allowed' }, allowed(run)),
    h('td', { class: 'number over' }, run.over > 0 ? clockText(run.over) : '–'),
    h('td', { class: `verdict ${qualified(run)}` }, verdictText(run)));
}

const columns = [
  ['at', 'at'], ['speaker', 'speaker'], ['timer', 'timer'], ['used', 'number used'], ['allowed', 'number allowed'],
  ['over', 'number over'], ['qualified', 'verdict'],
];

/**
 * The tables of the runs.
 *
 * @param amend called when the field for a name was closed, with the run, and with the name, or null if it was not
 *   changed; null for users who may not amend.
 */
export function tables(runs, amend) {
  return parts(runs).map((part) => h('section', {},
    h('h2', {}, part.name || t('report.other')),
    h('table', {},
      h('caption', { class: 'visually-hidden' }, part.name || t('report.other')),
      h('thead', {}, h('tr', {}, columns.map(([key, name]) => h('th', { scope: 'col', class: name },
        t(`report.column.${key}`))))),
      h('tbody', {}, part.runs.map((run) => row(run, amend))))));
}
