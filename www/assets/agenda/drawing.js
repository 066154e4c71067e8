// The content of the agenda page.
import { formatDate, t } from '../texts.js?v=';
import { h, nodeName } from '../ui.js?v=';
import { byDays, datesAfter, matches, zoneOf } from './meetings.js?v=';
import { dayText, durationText, ruleText, timeText, zoneText } from './words.js?v=';
import { localTime } from './zones.js?v=';

const LINK = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/;

/** A note in which addresses become links. */
function note(text) {
  const parts = text.split(LINK).filter(Boolean).map((part) =>
    (LINK.test(part) ? h('a', { href: part, target: '_blank', rel: 'noopener noreferrer' }, part) : part));
  return h('p', { class: 'note' }, parts);
}

const badge = (isAttended) => h('span', { class: isAttended ? 'badge attended' : 'badge' },
  t(isAttended ? 'agenda.attended' : 'agenda.not_attended'));

/** Whether the user of this browser attends, which concerns nobody else. */
function ownMark({ node, meeting }, attending) {
  const isMine = attending.has(node, meeting.name);
  return h('button', {
    type: 'button', class: 'own', 'aria-pressed': String(isMine), onclick: () => attending.toggle(node, meeting.name),
    'aria-label': t('agenda.own.label', { meeting: meeting.name }),
  }, isMine ? '★ ' : '☆ ', t('agenda.own'));
}

/** The strings in a meeting that a search covers. */
const textsOf = ({ meeting, node, source, group }) => [
  meeting.name, meeting.location, meeting.note, node, nodeName(source), group, ruleText(meeting)];

export const isWanted = (one, { search, onlyAttended }) =>
  (!onlyAttended || one.meeting.attend) && matches(search, textsOf(one));

function buttons(one, actions, mayBegin = true) {
  if (!actions) return null;
  const { name } = one.meeting;
  return h('div', { class: 'buttons' },
    mayBegin && h('button', { type: 'button', class: 'begin', 'aria-label': t('agenda.begin_label', { meeting: name }),
      onclick: (event) => actions.begin(one, event.currentTarget) }, t('agenda.begin_now')),
    h('button', { type: 'button', class: 'edit', 'aria-label': t('agenda.edit_label', { meeting: name }),
      onclick: () => actions.edit(one) }, t('agenda.edit')));
}

/** The location of a meeting, and its group of timers. */
function place({ meeting, node, source, group }) {
  return h('p', { class: 'muted place' },
    meeting.location && h('span', {}, meeting.location),
    h('a', { href: `n/${encodeURIComponent(node)}` }, nodeName(source)),
    group && h('span', {}, t('agenda.with_group', { group })));
}

function expected(one, zone) {
  if (!one.expected) return null;
  const minutes = Math.round((one.expected - one.ends) / 60_000);
  const late = minutes === 0 ? 'on_time' : minutes > 0 ? 'behind' : 'ahead';
  return h('p', { class: 'expected' }, t('agenda.expected', { time: timeText(one.expected, zone) }), ' ',
    t(`agenda.${late}`, { minutes: Math.abs(minutes) }));
}

/** The next dates of a meeting, folded. */
function nextDates(one, zone) {
  const dates = datesAfter(one);
  if (dates.length === 0) return null;
  const text = (instant) => formatDate(new Date(instant), {
    weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: zone });
  return h('details', { class: 'next' }, h('summary', {}, ruleText(one.meeting), one.meeting.zone && ` (${one.meeting.zone})`),
    h('ul', {}, dates.map((instant) => h('li', {}, text(instant)))));
}

function card(one, zone, { actions, attending, isForeign, mayBegin }) {
  const [begin, end] = [localTime(one.begins, zone), localTime(one.ends, zone)];
  const until = begin.day === end.day ? timeText(one.ends, zone)
    : `${dayText(end.day, { day: 'numeric', month: 'short' })} ${timeText(one.ends, zone)}`;
  const begins = timeText(one.begins, zone);
  const time = one.isEarly && one.began === null ? t('agenda.until', { time: until })
    : `${one.isEarly ? timeText(one.began, zone) : begins} – ${until}`;
  return h('li', { class: `card meeting${one.meeting.attend ? '' : ' is-open'}` },
    h('div', { class: 'time' }, time,
      isForeign && h('span', { class: 'muted' }, ` ${zoneText(one.begins, zone)}`)),
    h('div', { class: 'what' }, h('strong', {}, one.meeting.name), ' ', badge(one.meeting.attend), ' ', ownMark(one, attending),
      one.isEarly && h('p', { class: 'early' }, t('agenda.early', { time: begins })),
      place(one), one.meeting.note && note(one.meeting.note), expected(one, zone), nextDates(one, zone)),
    buttons(one, actions, mayBegin));
}

/** The meetings in progress, and those of the next days, each once. */
export function drawAgenda({ progress, coming, zone, actions, attending, isForeign }) {
  const cards = (list) => list.map((one) => card(one, zone(one), {
    // A meeting that has begun cannot begin again.
    actions, attending, isForeign: isForeign(zone(one)), mayBegin: list !== progress }));
  return [
    progress.length > 0 && h('section', { class: 'progress' },
      h('h2', {}, t('agenda.in_progress')), h('ul', { class: 'slot' }, cards(progress))),
    ...byDays(coming, zone).map(({ day, slots }) => h('section', { class: 'day', 'data-jump': day, tabindex: '-1' },
      h('h2', {}, dayText(day)),
      slots.map(({ begins, meetings }) => h(
        'ul', { class: 'slot', 'data-jump': begins, tabindex: '-1' }, cards(meetings))))),
  ].filter(Boolean);
}

/** The days and the times at which meetings begin, to jump to them: the option's value is that of `data-jump`. */
export const drawJumps = (coming, zone) => [
  h('option', { value: '' }, t('agenda.jump.none')),
  ...byDays(coming, zone).flatMap(({ day, slots }) => [h('option', { value: day }, dayText(day)),
    ...slots.map(({ begins, meetings }) => h('option', { value: begins },
      [`\u2003${timeText(begins, zone(meetings[0]))}`, ...meetings.map(({ meeting }) => meeting.name)].join(' · ')))]),
];

/** The zone of an agenda, and when it sends reminders. */
function settingsText(agenda) {
  const reminder = agenda.remind_after > 0 ? t('agenda.reminds', { time: durationText(agenda.remind_after) })
    : t('agenda.never_reminds');
  return `${t('agenda.zone_of', { zone: agenda.zone ?? zoneOf(agenda) })} · ${reminder}`;
}

/** The meetings of a node that are not shown above because they do not take place within the next days. */
export function drawOthers(node, document, wanted, actions) {
  const meetings = (document.shown?.meetings ?? []).map((meeting, place) => ({
    node: node.id, source: node, index: place + 1, meeting, group: groupOf(node, meeting) })).filter(wanted);
  return h('section', { class: 'all', 'data-node': node.id },
    h('div', { class: 'all-head' },
      h('h2', {}, meetings.length > 0 ? t('agenda.others', { node: nodeName(node) }) : nodeName(node)),
      actions && h('button', { type: 'button', class: 'add', onclick: () => actions.add(node.id) }, t('agenda.add')),
      actions && h('button', { type: 'button', class: 'agenda-settings', onclick: () => actions.settings(node.id) },
        t('agenda.settings'))),
    document.shown && h('p', { class: 'muted' }, settingsText(document.shown)),
    h('ul', { class: 'slot' }, meetings.map((one) => h('li', { class: 'card meeting' },
      h('div', { class: 'what' }, h('strong', {}, one.meeting.name), ' ', badge(one.meeting.attend),
        h('p', { class: 'rule' }, ruleText(one.meeting), one.meeting.zone && ` (${one.meeting.zone})`),
        place(one), one.meeting.note && note(one.meeting.note)),
      buttons(one, actions)))));
}

const groupOf = (node, { group }) => (group ? node.timers?.groups[group - 1]?.name || String(group) : null);
