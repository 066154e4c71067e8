// The agenda of all nodes.
import { keepRole } from '../access.js?v=';
import { onClock, serverNow } from '../clock.js?v=';
import { wallAt } from '../counting.js?v=';
import { conflictDialog, failureText } from '../dialog.js?v=';
import { agendaDocument } from '../document.js?v=';
import { showNavigation } from '../header.js?v=';
import { command } from '../http.js?v=';
import { Instant } from '../instants.js?v=';
import { connect } from '../live.js?v=';
import { isAtLeast, loginAddress } from '../place.js?v=';
import { keepFocus, redraw } from '../redraw.js?v=';
import { settings } from '../settings.js?v=';
import { t, translate } from '../texts.js?v=';
import { confirmDialog, feel, h, nodeName, setText, toast } from '../ui.js?v=';
import { drawAgenda, drawJumps, drawOthers, isWanted } from './drawing.js?v=';
import { openAgendaForm, openMeetingForm } from './form.js?v=';
import {
  findMeeting, firstOf, inProgress, isNear, removeMeeting, restoreMeeting, upcoming, zoneOf,
} from './meetings.js?v=';
import { differences, timeText } from './words.js?v=';
import { localTime, ownZone } from './zones.js?v=';

const element = (name) => document.getElementById(name);
const live = connect({ view: 'agenda' });
/** The events of a node and of the stream that this page shows. */
const SHOWN = ['snapshot', 'broker', 'agenda', 'timers', 'state', 'availability', 'name'];
const documents = new Map();
const next = new Instant(draw);
let undo = null;

const isOperator = () => isAtLeast(live.role, 'operator');
const nodes = () => [...live.nodes.values()].sort((one, other) => one.id.localeCompare(other.id));

function documentOf(id) {
  if (!documents.has(id)) {
    const made = agendaDocument(id, isOperator);
    made.addEventListener('change', draw);
    documents.set(id, made);
  }
  return documents.get(id);
}

/** The node's wall clock now, in ms; this machine's if the node has not sent one. */
const wallClock = (node) => wallAt(node, serverNow()) ?? Date.now();

async function change(id, label, apply, basedOn = documentOf(id).revision) {
  const answer = await documentOf(id).change(apply, { basedOn });
  if (answer.ok) return true;
  if (answer.code === 'conflict' && answer.theirs) {
    return (await conflictDialog(differences(answer.base, answer.theirs), label)) && change(id, label, apply);
  }
  toast(t('edit.not_done', { change: label, reason: failureText(answer) }), 'error');
  return false;
}

async function removed(one) {
  const before = documentOf(one.node).shown;
  // Someone else may have changed or removed it while its form was open.
  const meeting = before.meetings[findMeeting(before, one.meeting)];
  const label = t('agenda.deleted', { meeting: one.meeting.name });
  if (!meeting) {
    toast(t('edit.impossible.gone'), 'error');
    return;
  }
  if (!(await change(one.node, label, removeMeeting(meeting)))) return;
  const run = async () => {
    const isDone = await change(one.node, t('edit.undo', { change: label }), restoreMeeting(before, meeting));
    if (!isDone || undo?.run !== run) return;
    undo = null;
    draw();
  };
  undo = { label, run };
  toast(label, 'note', { label: t('edit.undo_short'), run });
  draw();
}

const groupsOf = (id) => live.nodes.get(id)?.timers?.groups ?? [];

const actions = {
  async begin(one, button) {
    feel(button);
    const { meeting, begins } = one;
    const kind = !begins ? 'ask' : isNear(begins, wallClock(live.nodes.get(one.node))) ? 'early' : 'extra';
    const question = t(`agenda.begin_${kind}`, {
      meeting: meeting.name, time: begins ? timeText(begins, one.zone) : '' });
    if (!(await confirmDialog(question, t('agenda.begin_now')))) return;
    const answer = await command(one.node, 'begin', { meeting: one.index });
    if (answer.ok) toast(t('agenda.begun', { meeting: one.meeting.name }));
    else toast(t('agenda.not_begun', { meeting: one.meeting.name, reason: failureText(answer) }), 'error');
  },
  edit(one) {
    const form = openMeetingForm(documentOf(one.node), groupsOf(one.node), {
      meeting: one.meeting, isNew: false,
      extra: h('button', { type: 'button', class: 'danger', onclick: () => {
        form.close();
        removed(one);
      } }, t('agenda.delete')) });
  },
  add(id) {
    const { shown } = documentOf(id);
    const now = localTime(wallClock(live.nodes.get(id)), zoneOf(shown ?? {}));
    const group = groupsOf(id).length > 0 ? { group: 1, begin: 'select' } : { begin: 'none' };
    openMeetingForm(documentOf(id), groupsOf(id), { isNew: true, meeting: {
      name: '', day: now.day, at: `${now.at.slice(0, 2)}:00`, for: 3600, ...group, attend: true } });
  },
  settings: (id) => openAgendaForm(documentOf(id)),
};

/** The meetings that the user of this browser has marked, by node and name. */
const attending = {
  key: (...parts) => JSON.stringify(parts),
  has: (...parts) => settings.get('attending').includes(attending.key(...parts)),
  toggle(...parts) {
    const key = attending.key(...parts);
    const others = settings.get('attending').filter((other) => other !== key);
    settings.set('attending', attending.has(...parts) ? others : [...others, key]);
  },
};

/** The reason why the agenda is not available; null if it is. */
function obstacle() {
  if (live.status !== 'live') return t(`edit.status.${live.status}`);
  if (!live.broker?.connected) return t('edit.status.no_broker', { address: live.broker?.address ?? '' });
  const away = nodes().filter(({ availability }) => availability !== 'online')
    .map(nodeName);
  return away.length > 0 ? t('agenda.offline', { nodes: away.join(', ') }) : null;
}

function drawTools(zones) {
  const own = ownZone();
  setText(element('zone-agenda'), zones.length === 1 ? t('agenda.zone.of_agenda', { zone: zones[0] })
    : t('agenda.zone.of_agendas'));
  setText(element('zone-own'), t('agenda.zone.of_viewer', { zone: own }));
  element('undo').hidden = !undo || !isOperator();
  if (undo) setText(element('undo'), t('edit.undo', { change: undo.label }));
  // It is read aloud only when it changes.
  const isReader = live.role !== null && !isOperator();
  redraw(element('status'), [obstacle(),
    ...(isReader ? [' ', h('a', { href: loginAddress('operator') }, t('agenda.login'))] : [])]);
}

const labelOf = (button) => button.getAttribute('aria-label') ?? button.textContent;

function draw() {
  const wished = { search: element('search').value, onlyAttended: element('attended').checked };
  const isOwn = element('tools').elements.zone.value === 'own';
  const wanted = (one) => isWanted(one, wished);
  const withAgenda = nodes().filter(({ agenda }) => agenda);
  const zones = [...new Set(withAgenda.map(({ agenda }) => zoneOf(agenda)))];
  const zone = (one) => (isOwn ? ownZone() : one.zone);
  const allowed = isOperator() ? actions : null;
  const [progress, all] = [inProgress, upcoming].map((find) => find(nodes(), wallClock).filter(wanted));
  const coming = firstOf(all, progress);
  // A node that is away does not report the end of a meeting.
  next.set(Math.min(...[...progress, ...coming].map(({ ends, source }) => serverNow() + ends - wallClock(source))));
  drawTools(zones);
  const isForeign = (name) => name !== ownZone() || zones.length > 1;
  keepFocus(element('agenda'), labelOf, () =>
    redraw(element('agenda'), drawAgenda({ progress, coming, zone, actions: allowed, attending, isForeign }),
      [...progress, ...coming].map(({ node, index, meeting }) => [node, index, meeting])));
  redraw(element('jump'), drawJumps(coming, zone));
  const listed = nodes().filter((node) => node.agenda || (isOperator() && !node.state?.follows));
  const isShown = (other) => [...progress, ...coming].some(({ node, index }) =>
    node === other.node && index === other.index);
  const isOther = (one) => wanted(one) && !isShown(one);
  const others = listed.map((node) => drawOthers(node, documentOf(node.id), isOther, allowed));
  const count = progress.length + coming.length;
  const isEmpty = withAgenda.every(({ agenda }) => agenda.meetings.length === 0);
  const found = count === 0 ? t('agenda.none') : t('agenda.count', { count });
  setText(element('found'), isEmpty ? t('agenda.empty') : found);
  keepFocus(element('all'), labelOf, () =>
    redraw(element('all'), others, [listed.map(({ id }) => [id, documentOf(id).shown?.meetings]),
      [...progress, ...coming].map(({ node, index }) => [node, index])]));
}

translate();
document.title = t('agenda.title');
if (settings.get('agendaZone') === 'own') element('tools').elements.zone.value = 'own';
element('tools').addEventListener('submit', (event) => event.preventDefault());
element('tools').addEventListener('input', draw);
element('tools').addEventListener('change', (event) => {
  if (event.target.name === 'zone') settings.set('agendaZone', event.target.value);
  draw();
});
element('undo').addEventListener('click', () => undo?.run());
element('jump').addEventListener('change', () => {
  const place = document.querySelector(`[data-jump="${element('jump').value}"]`);
  place?.scrollIntoView({ block: 'start' });
  place?.focus({ preventScroll: true });
  element('jump').value = '';
});
settings.addEventListener('change', draw);
keepRole(live, 'viewer');
live.addEventListener('status', draw);
onClock(draw);
live.addEventListener('change', ({ detail }) => {
  if (detail.keys.includes('snapshot')) showNavigation(live, 'agenda');
  const isOurs = detail.keys.some((key) => SHOWN.includes(key));
  if (!isOurs && detail.id !== null && live.nodes.has(detail.id)) return;
  for (const node of nodes()) {
    documentOf(node.id).title = nodeName(node);
    documentOf(node.id).receive(node.agenda ?? null);
  }
  draw();
});
draw();
