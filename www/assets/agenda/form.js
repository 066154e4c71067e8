// The form for one meeting, and the form for the settings of an agenda.
import { formDialog } from '../dialog.js?v=';
import { groupName } from '../edit/differences.js?v=';
import { field, selectField, textField } from '../fields.js?v=';
import { isSame } from '../same.js?v=';
import { t } from '../texts.js?v=';
import { h } from '../ui.js?v=';
import { daysField, durationField } from './fields.js?v=';
import { addMeeting, daysOf, editAgenda, editMeeting, findMeeting, withFields } from './meetings.js?v=';
import { differences } from './words.js?v=';
import { isZone } from './zones.js?v=';

/** The maximum length of a note, in bytes. */
const NOTE = 512;
/** How long before a meeting displays may count down to it, in seconds. */
const LEAD = 86_400;

/** A field for the name of a time zone; if empty, the zone of the agenda or of the node applies. */
function zoneField(label, value, hint, onChange) {
  const names = h('datalist', { id: `zones-${Math.random().toString(36).slice(2)}` },
    (Intl.supportedValuesOf?.('timeZone') ?? []).map((name) => h('option', { value: name })));
  const made = textField(label, value, { maximum: 64, list: names.id, onChange: (text) => {
    const isKnown = text.trim() === '' || isZone(text.trim());
    made.input.setCustomValidity(isKnown ? '' : t('agenda.zone.unknown'));
    made.note(isKnown ? null : t('agenda.zone.unknown'));
    onChange(text.trim());
  } });
  made.element.append(names, h('p', { class: 'muted hint' }, hint));
  return made;
}

function timeOfDayField(label, value, onChange) {
  const input = h('input', { type: 'time', required: true, value: value.padStart(5, '0') });
  input.addEventListener('input', () => onChange(input.value));
  return { ...field(label, input), set value(next) { input.value = next.padStart(5, '0'); } };
}

function checkField(label, value, onChange) {
  const input = h('input', { type: 'checkbox' });
  input.checked = value;
  input.addEventListener('change', () => onChange(input.checked));
  return { element: h('label', { class: 'check' }, input, label), set value(next) { input.checked = next; } };
}

/**
 * How both forms resolve a conflict: their fields by name, the changed values, and the revision that they are based on.
 */
function conflictOf(document, form) {
  return ({ base, theirs }) => ({
    texts: differences(base, theirs),
    take: () => {
      const mine = form.wishes;
      form.basedOn = document.revision;
      if (form.isNew) return {};
      const now = form.find(theirs);
      if (!now) return { isGone: true };
      form.old = now;
      form.wishes = {};
      form.fill();
      return {
        putBack: () => {
          form.wishes = { ...mine };
          form.fill();
        },
      };
    },
    anew: () => {
      form.basedOn = document.revision;
      return form.send();
    },
  });
}

/** The code that both forms share: the values as typed, on top of the previous ones. */
function formOf(document, old, isNew, options) {
  const form = {
    old, isNew, wishes: {}, basedOn: document.revision, fields: {}, ...options,
    value: (key) => (key in form.wishes ? form.wishes[key] : form.old[key]),
    wish: (key, value) => { form.wishes[key] = value; },
    changes: () => Object.fromEntries(Object.entries(form.wishes).filter(([key, value]) =>
      !isSame(value, form.old[key] ?? ''))),
    fill: () => { for (const [key, one] of Object.entries(form.fields)) one.value = form.value(key); },
  };
  return form;
}

/**
 * Opens the form of a meeting.
 *
 * @param {SharedDocument} document the agenda that contains it.
 * @param {object[]} groups the node's groups of timers.
 */
export function openMeetingForm(document, groups, { meeting, isNew, extra = null }) {
  const form = formOf(document, meeting, isNew, {
    find: (agenda) => agenda?.meetings[findMeeting(agenda, meeting)],
    send: () => {
      const apply = isNew ? addMeeting(withFields(meeting, form.changes())) : editMeeting(form.old, form.changes());
      return document.change(apply, { basedOn: form.basedOn });
    },
  });
  const { wish } = form;
  const known = [['', t('agenda.no_group')], ...groups.map((group, place) =>
    [String(place + 1), `${place + 1} ${groupName(group, place)}`])];
  if (meeting.group && !groups[meeting.group - 1]) known.push([String(meeting.group), String(meeting.group)]);
  const begin = selectField(t('agenda.begin'), meeting.begin,
    ['select', 'start', 'none'].map((name) => [name, t(`agenda.begin.${name}`)]), (value) => wish('begin', value));
  const allow = (group) => { begin.input.disabled = !group; };
  const group = selectField(t('agenda.group'), String(meeting.group ?? ''), known, (value) => {
    wish('group', value ? Number(value) : '');
    allow(value);
    begin.value = value ? form.wishes.begin ?? (form.old.group ? form.old.begin : 'select') : 'none';
    if (value) wish('begin', begin.value);
  });
  allow(meeting.group);
  form.fields = {
    name: textField(t('agenda.name'), meeting.name, { required: true, onChange: (text) => wish('name', text.trim()) }),
    at: timeOfDayField(t('agenda.at'), meeting.at, (text) => wish('at', text)),
    day: daysField(daysOf(meeting), (days) => wish('day', days.length === 1 ? days[0] : days)),
    for: durationField(t('agenda.for'), meeting.for, (seconds) => wish('for', seconds)),
    group: { element: group.element, set value(next) { group.value = String(next ?? ''); allow(next); } },
    begin,
    lead: durationField(t('agenda.lead'), meeting.lead ?? 0, (seconds) => wish('lead', seconds),
      { minimum: 0, maximum: LEAD, hint: t('agenda.lead.hint') }),
    location: textField(t('agenda.location'), meeting.location, { onChange: (text) => wish('location', text.trim()) }),
    note: textField(t('agenda.note'), meeting.note, { maximum: NOTE, onChange: (text) => wish('note', text.trim()) }),
    zone: zoneField(t('agenda.zone'), meeting.zone, t('agenda.zone.hint'), (text) => wish('zone', text)),
    attend: checkField(t('agenda.attend.label'), meeting.attend, (value) => wish('attend', value)),
  };
  return formDialog({
    title: isNew ? t('agenda.new', { node: document.title }) : t('agenda.edit_title', { meeting: meeting.name }),
    children: Object.values(form.fields).map(({ element }) => element),
    extra,
    save: form.send,
    isDirty: () => Object.keys(form.changes()).length > 0,
    conflict: conflictOf(document, form),
  });
}

/** Opens the form for the zone of an agenda and its reminders. */
export function openAgendaForm(document) {
  const form = formOf(document, document.shown ?? { remind_after: 60, meetings: [] }, false, {
    find: (agenda) => agenda,
    send: () => document.change(editAgenda(form.changes()), { basedOn: form.basedOn }),
  });
  form.fields = {
    zone: zoneField(t('agenda.zone'), form.old.zone, t('agenda.zone.own_hint'), (text) => form.wish('zone', text)),
    remind_after: durationField(t('agenda.remind_after'), form.old.remind_after,
      (time) => form.wish('remind_after', time), { minimum: 0, maximum: 86_400, hint: t('agenda.remind_after.hint') }),
  };
  return formDialog({
    title: t('agenda.settings_title', { node: document.title }),
    children: Object.values(form.fields).map(({ element }) => element),
    save: form.send,
    isDirty: () => Object.keys(form.changes()).length > 0,
    conflict: conflictOf(document, form),
  });
}
