// Days, times and durations of meetings, and the differences between agendas, in words.
import { formatDate, t } from '../texts.js?v=';
import { WEEKDAYS, daysOf, findMeeting } from './meetings.js?v=';

const SHORT_DATE = { day: 'numeric', month: 'short', year: 'numeric' };

/** A day such as 2026-11-24. */
export const dayText = (day, options = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }) =>
  formatDate(new Date(`${day}T00:00:00Z`), { ...options, timeZone: 'UTC' });

// 1 January 2024 was a Monday.
export const weekdayText = (name, weekday = 'long') =>
  formatDate(new Date(Date.UTC(2024, 0, 1 + WEEKDAYS.indexOf(name))), { weekday, timeZone: 'UTC' });

/** The time of day of an instant. */
export const timeText = (instant, zone) =>
  formatDate(new Date(instant), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone });

/** A short name of a zone at an instant, such as CET. */
export function zoneText(instant, zone) {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' }).formatToParts(instant);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** A duration in hours and minutes. */
export function durationText(seconds) {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const parts = [[hours, 'hours'], [minutes, 'minutes'], [rest, 'seconds']].filter(([value]) => value > 0);
  return (parts.length > 0 ? parts : [[0, 'minutes']])
    .map(([value, unit]) => t(`agenda.duration.${unit}`, { value })).join(' ');
}

/** When a meeting takes place: every Tuesday, on a date. */
export function ruleText(meeting) {
  const days = daysOf(meeting);
  const weekly = WEEKDAYS.filter((name) => days.includes(name));
  const dates = days.filter((day) => !WEEKDAYS.includes(day)).sort();
  const lists = [];
  if (weekly.length === 7) lists.push(t('agenda.daily'));
  else if (weekly.length > 0) {
    const length = weekly.length > 1 ? 'short' : 'long';
    lists.push(t('agenda.weekly', { days: weekly.map((name) => weekdayText(name, length)).join(', ') }));
  }
  if (dates.length > 0) lists.push(dates.map((day) => dayText(day, SHORT_DATE)).join(', '));
  return t('agenda.rule', { days: lists.join('; '), at: meeting.at, duration: durationText(meeting.for) });
}

const FIELDS = ['name', 'day', 'at', 'for', 'group', 'begin', 'attend', 'zone', 'location', 'note'];

function valueText(field, value) {
  if (value === undefined || value === null || value === '') return t('edit.none');
  if (field === 'day') {
    return [value].flat().map((day) => (WEEKDAYS.includes(day) ? weekdayText(day, 'short') : day)).join(', ');
  }
  if (field === 'for') return durationText(value);
  if (field === 'begin') return t(`agenda.begin.${value}`);
  if (field === 'attend') return t(value ? 'agenda.yes' : 'agenda.no');
  return t('edit.quoted', { text: value });
}

/** The differences between two agendas, one sentence each. */
export function differences(base, theirs) {
  const [old, now] = [base ?? { meetings: [] }, theirs ?? { meetings: [] }];
  const texts = [];
  for (const meeting of old.meetings) {
    const other = now.meetings[findMeeting(now, meeting)];
    if (!other) texts.push(t('agenda.diff.removed', { meeting: meeting.name }));
    for (const field of other ? FIELDS : []) {
      const [before, after] = [meeting, other].map((one) => valueText(field, one[field]));
      if (before !== after) {
        texts.push(t('edit.diff.timer', { timer: meeting.name, field: t(`agenda.${field}`), before, after }));
      }
    }
  }
  for (const meeting of now.meetings) {
    if (findMeeting(old, meeting) < 0) texts.push(t('agenda.diff.added', { meeting: meeting.name }));
  }
  if (old.zone !== now.zone) texts.push(t('agenda.diff.zone', { zone: now.zone ?? t('edit.none') }));
  if (old.remind_after !== now.remind_after) {
    texts.push(t('agenda.diff.remind', { time: durationText(now.remind_after ?? 0) }));
  }
  return texts.length > 0 ? texts : [t('edit.diff.other')];
}
