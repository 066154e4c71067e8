// The agendas of all nodes, merged. Pure functions.
import { meetingLeft } from '../meeting.js?v=';
import { isSame } from '../same.js?v=';
import { instantOf, isZone, localTime, ownZone } from './zones.js?v=';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const RUNNING = ['countdown', 'warning', 'final'];

/** The days of a meeting, as a list. */
export const daysOf = (meeting) => [meeting.day].flat();

/** How early a planned meeting can be begun. Before that, a node begins an extra meeting instead. */
const NEARNESS = 12 * 3600 * 1000;

/** Whether a node that receives the command to begin a meeting begins the planned one. */
export const isNear = (begins, now) => begins - now < NEARNESS;

/** The zone that an agenda is shown in. */
export const zoneOf = (agenda) => (agenda.zone && isZone(agenda.zone) ? agenda.zone : ownZone());

function occurrence(node, index, begins, ends) {
  const meeting = node.agenda.meetings[index - 1];
  if (!meeting) return null;
  const group = meeting.group ? node.timers?.groups[meeting.group - 1] : null;
  return { node: node.id, source: node, index, meeting, begins, ends, zone: zoneOf(node.agenda),
    group: meeting.group ? group?.name || String(meeting.group) : null };
}

/** When the timers of a meeting in progress will finish, according to the node; null while they are not running. */
function expectedEnd(node, { name }) {
  const { state } = node;
  const left = meetingLeft(node);
  if (state?.meeting?.name !== name || left === null || !RUNNING.includes(state.mode)) return null;
  return Date.parse(state.at) + left * 1000;
}

/** When a meeting began, if it began early; otherwise null, even if the node does not report it. */
function earlyBegin(node, { name, begins_at: begins, ends_at: ends }) {
  const { meeting } = node.state ?? {};
  if (meeting?.name !== name || meeting.planned_end !== ends) return null;
  const began = Date.parse(meeting.began_at);
  return began < Date.parse(begins) ? began : null;
}

/** The meetings in progress, in the order of their beginning. @param {(node: object) => number} now */
export function inProgress(nodes, now) {
  return nodes.filter(({ agenda }) => agenda).flatMap((node) => node.agenda.in_progress.map((one) => {
    const found = occurrence(node, one.meeting, Date.parse(one.begins_at), Date.parse(one.ends_at));
    if (!found) return null;
    const began = earlyBegin(node, one);
    return { ...found, expected: expectedEnd(node, one), began, isEarly: began !== null || found.begins > now(node) };
  })).filter((one) => one && one.ends > now(one.source)).sort((one, other) => one.begins - other.begins);
}

/**
 * The meetings of the next days that have not begun, in the order of their beginning. @param {(node: object) => number}
 * now
 */
export function upcoming(nodes, now) {
  const all = nodes.filter(({ agenda }) => agenda).flatMap((node) => {
    const { slots } = node.agenda;
    const zone = zoneOf(node.agenda);
    return slots.flatMap(({ day, at, meetings }) => {
      const begins = instantOf(day, at, zone);
      return meetings.map((index) => {
        const meeting = node.agenda.meetings[index - 1];
        return meeting && occurrence(node, index, begins, begins + meeting.for * 1000);
      }).filter((one) => one && one.ends > now(node) && !node.agenda.in_progress.some((begun) =>
        begun.meeting === one.index && Math.abs(Date.parse(begun.begins_at) - begins) < 60_000));
    });
  });
  return all.sort((one, other) => one.begins - other.begins || one.node.localeCompare(other.node));
}

/** How many of a meeting's next dates are found, and within how many days. */
const [NEXT, HORIZON] = [4, 35];

/** The next dates of a meeting after one of them: the instants at which it begins. */
export function datesAfter({ meeting, begins, zone: zoneOfAgenda }) {
  const zone = meeting.zone && isZone(meeting.zone) ? meeting.zone : zoneOfAgenda;
  const days = daysOf(meeting);
  const first = Date.parse(`${localTime(begins, zone).day}T00:00:00Z`);
  const dates = [];
  for (let ahead = 0; ahead <= HORIZON && dates.length < NEXT; ahead += 1) {
    const date = new Date(first + ahead * 24 * 3600 * 1000);
    const day = date.toISOString().slice(0, 10);
    const weekday = WEEKDAYS[(date.getUTCDay() + 6) % 7];
    const instant = days.includes(day) || days.includes(weekday) ? instantOf(day, meeting.at, zone) : begins;
    if (instant > begins) dates.push(instant);
  }
  return dates;
}

/** The first of each meeting's occurrences, without the meetings that are in progress. */
export function firstOf(coming, progress) {
  const known = new Set(progress.map(({ node, index }) => `${node} ${index}`));
  return coming.filter(({ node, index }) => !known.has(`${node} ${index}`) && known.add(`${node} ${index}`));
}

/**
 * Groups occurrences by day, and within a day by slot: [{day, slots: [{begins, meetings}]}].
 *
 * @param {(occurrence: object) => string} zone the zone that an occurrence is shown in.
 */
export function byDays(occurrences, zone) {
  const days = new Map();
  for (const one of occurrences) {
    const { day } = localTime(one.begins, zone(one));
    if (!days.has(day)) days.set(day, new Map());
    const slots = days.get(day);
    slots.set(one.begins, [...(slots.get(one.begins) ?? []), one]);
  }
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([day, slots]) => ({
    day, slots: [...slots].map(([begins, meetings]) => ({ begins, meetings })) }));
}

/** A string without case and accents, which do not matter in a search. */
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether every word of a search occurs in these strings. */
export function matches(search, texts) {
  const text = plain(texts.filter(Boolean).join('\n'));
  return plain(search).split(/\s+/).every((word) => text.includes(word));
}

// Changes. A meeting has no id: it is identified by all of its fields, or by its name if that is unique.

/** The index of a meeting in an agenda, from 0; -1 if it no longer exists. */
export function findMeeting(agenda, meeting) {
  const same = agenda.meetings.findIndex((other) => isSame(other, meeting));
  if (same >= 0) return same;
  const named = agenda.meetings.flatMap(({ name }, place) => (name === meeting.name ? [place] : []));
  return named.length === 1 ? named[0] : -1;
}

/** A meeting with some fields changed. Empty fields are omitted, and without a group nothing begins automatically. */
export function withFields(meeting, fields) {
  const next = { ...meeting, ...fields };
  for (const key of ['group', 'zone', 'location', 'note', 'lead']) if (!next[key]) delete next[key];
  if (!next.group) next.begin = 'none';
  return next;
}

const changed = (agenda, change) => {
  const next = agenda ? structuredClone(agenda) : { meetings: [] };
  change(next);
  return next;
};

export const addMeeting = (meeting) => (agenda) => changed(agenda, ({ meetings }) => meetings.push(meeting));

/** Edits a meeting. If somebody has removed the meeting meanwhile, it is restored. */
export const editMeeting = (old, fields) => (agenda) => changed(agenda, (next) => {
  const place = findMeeting(next, old);
  if (place >= 0) next.meetings[place] = withFields(next.meetings[place], fields);
  else next.meetings.push(withFields(old, fields));
});

export const removeMeeting = (old) => (agenda) => changed(agenda, (next) => {
  const place = findMeeting(next, old);
  if (place >= 0) next.meetings.splice(place, 1);
});

/** Restores a meeting that was removed from an agenda. If it exists again already, nothing changes. */
export const restoreMeeting = (before, meeting) => (agenda) => changed(agenda, ({ meetings }) => {
  const count = (list) => list.filter((other) => isSame(other, meeting)).length;
  if (count(meetings) < count(before.meetings)) meetings.splice(findMeeting(before, meeting), 0, meeting);
});

export const editAgenda = (fields) => (agenda) => changed(agenda, (next) => {
  Object.assign(next, fields);
  if (!next.zone) delete next.zone;
});
