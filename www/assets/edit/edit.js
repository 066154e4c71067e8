// The editor of a node's timers.
import { keepRole } from '../access.js?v=';
import { conflictDialog, failureText } from '../dialog.js?v=';
import { timersDocument } from '../document.js?v=';
import { showNavigation } from '../header.js?v=';
import { command } from '../http.js?v=';
import { connect } from '../live.js?v=';
import { nodeID } from '../place.js?v=';
import { redraw } from '../redraw.js?v=';
import { t, translate } from '../texts.js?v=';
import { confirmDialog, h, nodeName, setText, toast } from '../ui.js?v=';
import { Carry } from './carry.js?v=';
import { differences, groupName, timerName } from './differences.js?v=';
import { openGroupForm } from './group-form.js?v=';
import { drawMatrix, focus } from './matrix.js?v=';
import {
  find, idsOf, move, moveBack, moveGroup, newID, placeAt, remove, removeGroup, restore,
} from './operations.js?v=';
import { openTimerForm } from './timer-form.js?v=';

const id = nodeID();
const wishes = new URLSearchParams(location.search);
const element = (name) => document.getElementById(name);
const live = connect({ node: id, view: 'edit' });
const timers = timersDocument(id);
let undo = null;
let hasOpened = false;

const node = () => live.nodes.get(id);
const announce = (text) => setText(element('announcer'), text);

/** Makes a change; if someone else was faster, asks whether to make it anyway. */
async function change(label, apply, basedOn = timers.revision) {
  const answer = await timers.change(apply, { basedOn });
  if (answer.ok) return true;
  if (answer.code === 'conflict' && answer.theirs) {
    return (await conflictDialog(differences(answer.base, answer.theirs), label)) && change(label, apply);
  }
  toast(t('edit.not_done', { change: label, reason: failureText(answer) }), 'error',
    answer.code === 'impossible' ? null : { label: t('edit.again'), run: () => change(label, apply) });
  return false;
}

/** Whether the change would end a run and the user declines that. */
async function keepsRun(ids) {
  const state = node()?.state;
  if (!state || state.mode === 'stopped' || !ids.includes(state.timer?.id)) return false;
  return !(await confirmDialog(t('edit.running'), t('edit.running.yes')));
}

async function removeTimers(ids, label, apply) {
  const [before, basedOn] = [timers.shown, timers.revision];
  if (before.groups.flatMap(idsOf).every((one) => ids.includes(one))) {
    toast(t('edit.impossible.last'), 'error');
    return;
  }
  if (await keepsRun(ids)) return;
  if (!(await change(label, apply, basedOn))) return;
  announce(label);
  offerUndo(label, ids[0], restore(before, ids));
}

/** Offers to undo the latest change. @param timerID the timer that has the focus afterwards */
function offerUndo(label, timerID, apply) {
  undo?.message.remove();
  const run = async () => {
    message.remove();
    if (undo?.run === run) undo = null;
    draw();
    if (await change(t('edit.undo', { change: label }), apply)) {
      announce(t('edit.undone', { change: label }));
      focus(element('matrix'), `timer ${timerID}`);
    }
  };
  const message = toast(label, 'note', { label: t('edit.undo_short'), run });
  undo = { label, run, message };
  draw();
}

function openTimer(timerID, manner = null) {
  const found = find(timers.shown, timerID);
  if (!found) return;
  const order = timers.shown.groups.flatMap(idsOf);
  const [previous, next] = [-1, 1].map((by) => order[order.indexOf(timerID) + by])
    .map((other) => other && ((next) => openTimer(other, next)));
  // When the form closes, the focus returns to this timer.
  focus(element('matrix'), `timer ${timerID}`);
  const form = openTimerForm(timers, {
    timer: found.timer, place: placeAt(timers.shown, found, timerID), isNew: false, node: node(),
    neighbours: { previous, next }, manner,
    extra: h('button', { type: 'button', class: 'play', name: 'play', onclick: () => play(found.timer, form) }, t('edit.play')),
  });
}

/** Starts a timer as it is in its form. If that would end a run, asks before anything is saved. */
function play(timer, form) {
  form.goOn(async () => {
    const answer = await command(id, 'start', { timer: timer.id });
    // Saving may have renamed it.
    if (answer.ok) toast(t('edit.played', { timer: timerName(find(timers.shown, timer.id)?.timer ?? timer) }));
    else toast(failureText(answer), 'error');
  }, async () => (node()?.state?.mode ?? 'stopped') === 'stopped'
    || confirmDialog(t('edit.play.sure', { timer: timerName(timer) }), t('edit.play')));
}

/** A new timer is like the last one of its group. */
function openNew(place, group) {
  const last = timers.shown.groups.at(group).timers.at(-1);
  openTimerForm(timers, { timer: { ...last, id: newID(), name: '' }, place, isNew: true, node: node() });
}

function openGroup(place) {
  const group = timers.shown.groups[place];
  const name = groupName(group, place);
  const ids = idsOf(group);
  const last = timers.shown.groups.length - 1;
  let form = null;
  const act = (action) => () => {
    form.close();
    action();
  };
  const shift = (by, text) => h('button', {
    type: 'button', disabled: place + by < 0 || place + by > last,
    onclick: act(async () => {
      const label = t('edit.group_moved', { group: name });
      if (await change(label, moveGroup(ids, by))) offerUndo(label, ids[0], moveGroup(ids, -by));
    }) }, text);
  form = openGroupForm(timers, place, { node: node() ?? {}, extra: [
    h('button', { type: 'button', class: 'danger', onclick: act(() =>
      removeTimers(ids, t('edit.deleted_group', { group: name }), removeGroup(ids))) }, t('edit.delete_group')),
    shift(-1, t('edit.group_up')), shift(1, t('edit.group_down'))] });
}

const actions = {
  edit: openTimer,
  remove: (timerID) => removeTimers(
    [timerID], t('edit.deleted', { timer: timerName(find(timers.shown, timerID).timer) }), remove(timerID)),
  add: (group) => openNew(placeAt(timers.shown, { group, item: timers.shown.groups[group].timers.length }), group),
  addGroup: () => openNew({ isNew: true }, -1),
  editGroup: openGroup,
};

const carry = new Carry(element('matrix'), {
  model: () => timers.shown,
  revision: () => timers.revision,
  announce,
  end: () => draw(),
  async drop(timerID, place, model, revision) {
    const label = t('edit.moved', { timer: timerName(find(model, timerID).timer) });
    const done = change(label, move(timerID, placeAt(model, place, timerID)), revision);
    draw();
    focus(element('matrix'), `grip ${timerID}`);
    if (await done) offerUndo(label, timerID, moveBack(model, timerID));
  },
});

/** The reason why editing is not possible; null if it is possible. */
function obstacle() {
  if (live.status !== 'live') return t(`edit.status.${live.status}`);
  if (!live.broker?.connected) return t('edit.status.no_broker', { address: live.broker?.address ?? '' });
  if (!node()) return t('edit.status.unknown', { node: id });
  if (node().availability !== 'online') return t('edit.status.offline', { node: nodeName(node()) });
  return null;
}

function draw() {
  const title = t('edit.page_title', { node: nodeName(node() ?? { id }) });
  setText(element('title'), title);
  document.title = title;
  const leader = node()?.state?.follows;
  // It is read aloud only when it changes.
  redraw(element('status'), leader ? [t('edit.status.follows', { node: nodeName(node()), leader }), ' ',
    h('a', { href: `n/${encodeURIComponent(leader)}/edit` }, t('edit.status.leader', { leader }))] : [obstacle()]);
  element('undo').hidden = !undo;
  if (undo) setText(element('undo'), t('edit.undo', { change: undo.label }));
  if (carry.isCarrying || !timers.shown) return;
  const state = node()?.state;
  drawMatrix(element('matrix'), timers.shown, {
    actions, node: node(), selected: state?.timer && { id: state.timer.id, mode: state.mode } });
  if (!hasOpened) openWished();
}

/**
 * Opens the form that the address names: `?timer=ID`, or `?add=GROUP` (counted from 1; a new group if there is no
 * number).
 */
function openWished() {
  hasOpened = true;
  if (wishes.has('timer')) openTimer(wishes.get('timer'));
  const group = Number(wishes.get('add'));
  if (wishes.has('add')) (timers.shown.groups[group - 1] ? actions.add(group - 1) : actions.addGroup());
}

translate();
element('open-display').href = `n/${encodeURIComponent(id)}`;
element('open-remote').href = `n/${encodeURIComponent(id)}/remote`;
element('undo').addEventListener('click', () => undo?.run());
keepRole(live, 'operator');
timers.addEventListener('change', draw);
live.addEventListener('status', draw);
live.addEventListener('change', ({ detail }) => {
  if (detail.keys.includes('snapshot')) {
    showNavigation(live, 'edit');
  }
  timers.receive(node()?.timers ?? null);
  draw();
});
draw();
