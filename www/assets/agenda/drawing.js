// The content of the agenda page.
import { t } from '../texts.js?v=';
import { h, nodeName } from '../ui.js?v=';
import { byDays, matches, zoneOf } from './meetings.js?v=';
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

function card(one, zone, { actions, isForeign, mayBegin }) {
  const [begin, end] = [localTime(one.begins, zone), localTime(one.ends, zone)];
  const until = begin.day === end.day ? timeText(one.ends, zone)
    : `${dayText(end.day, { day: 'numeric', month: 'short' })} ${timeText(one.ends, zone)}`;
  const begins = timeText(one.begins, zone);
  const time = one.isEarly && one.began === null ? t('agenda.until', { time: until })
    : `${one.isEarly ? timeText(one.began, zone) : begins} – ${until}`;
  return h('li', { class: `card meeting${one.meeting.attend ? '' : ' is-open'}` },
    h('div', { class: 'time' }, time,
      isForeign && h('span', { class: 'muted' }, ` ${zoneText(one.begins, zone)}`)),
    h('div', { class: 'what' }, h('strong', {}, one.meeting.name), ' ', badge(one.meeting.attend),
      one.isEarly && h('p', { class: 'early' }, t('agenda.early', { time: begins })),
      place(one), one.meeting.note && note(one.meeting.note), expected(one, zone)),
    buttons(one, actions, mayBegin));
}

/** Whether a meeting begins later today. */
const isToday = (one, now) => localTime(one.begins, one.zone).day === localTime(now(one.source), one.zone).day;

/**
 * The meetings in progress, and those of the next days.
 *
 * @param {(node: object) => number} now a node's wall clock, in ms.
 */
export function drawAgenda({ progress, coming, zone, actions, isForeign, now }) {
  const cards = (list) => list.map((one) => card(one, zone(one), {
    // The button is for today's next meeting. A meeting that has begun cannot begin again; the list of all meetings has
    // buttons for the other meetings.
    actions, isForeign: isForeign(zone(one)),
    mayBegin: coming.includes(one) && one.begins === coming[0].begins && isToday(one, now) }));
  return [
    progress.length > 0 && h('section', { class: 'progress' },
      h('h2', {}, t('agenda.in_progress')), h('ul', { class: 'slot' }, cards(progress))),
    ...byDays(coming, zone).map(({ day, slots }) => h('section', { class: 'day', 'data-day': day },
      h('h2', {}, dayText(day)),
      slots.map(({ meetings }) => h('ul', { class: 'slot' }, cards(meetings))))),
  ].filter(Boolean);
}

/** The zone of an agenda, and when it sends reminders. */
function settingsText(agenda) {
  const reminder = agenda.remind_after > 0 ? t('agenda.reminds', { time: durationText(agenda.remind_after) })
    : t('agenda.never_reminds');
  return `${t('agenda.zone_of', { zone: agenda.zone ?? zoneOf(agenda) })} · ${reminder}`;
}

/** All meetings of a node with their rules, including those that do not take place within the next days. */
export function drawAll(node, document, wanted, actions, now) {
  const isInProgress = (index) => Boolean(node.agenda?.in_progress.some((one) =>
    one.meeting === index && Date.parse(one.ends_at) > now(node)));
  const meetings = (document.shown?.meetings ?? []).map((meeting, place) => ({
    node: node.id, source: node, index: place + 1, meeting, group: groupOf(node, meeting) })).filter(wanted);
  return h('section', { class: 'all', 'data-node': node.id },
    h('div', { class: 'all-head' },
      h('h2', {}, t('agenda.all', { node: nodeName(node) })),
      actions && h('button', { type: 'button', class: 'add', onclick: () => actions.add(node.id) }, t('agenda.add')),
      actions && h('button', { type: 'button', class: 'agenda-settings', onclick: () => actions.settings(node.id) },
        t('agenda.settings'))),
    document.shown && h('p', { class: 'muted' }, settingsText(document.shown)),
    h('ul', { class: 'slot' }, meetings.map((one) => h('li', { class: 'card meeting' },
      h('div', { class: 'what' }, h('strong', {}, one.meeting.name), ' ', badge(one.meeting.attend),
        h('p', { class: 'rule' }, ruleText(one.meeting), one.meeting.zone && ` (${one.meeting.zone})`),
        place(one), one.meeting.note && note(one.meeting.note)),
      buttons(one, actions, !isInProgress(one.index))))));
}

const groupOf = (node, { group }) => (group ? node.timers?.groups[group - 1]?.name || String(group) : null);
