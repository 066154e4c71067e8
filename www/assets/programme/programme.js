// The running order of a node: what comes, what is on, and what has been; operators edit it while it runs.
import { onClock, serverNow } from '../clock.js?v=';
import { clockText, isRunning, wallAt } from '../counting.js?v=';
import { confirmDialog, h, nodeName, refusalText, setText, toast } from '../ui.js?v=';
import { showNavigation } from '../header.js?v=';
import { command } from '../http.js?v=';
import { placeIcons } from '../icons.js?v=';
import { connect } from '../live.js?v=';
import { isAtLeast, logIn, nodeID, requireRole } from '../place.js?v=';
import { keepFocus, redrawList } from '../redraw.js?v=';
import { t, timeOfDay, translate } from '../texts.js?v=';
import { Drag } from './drag.js?v=';
import { entryForm, pasteForm } from './form.js?v=';
import { expectedAt, moved, movedBeside, nextEntry, ownEntries } from './order.js?v=';

const element = (id) => document.getElementById(id);
const id = nodeID();
const at = `n/${encodeURIComponent(id)}`;
let live = null;
/** The entries whose changes are open, which a redrawing keeps. */
const opened = new Set();
/** The entry that was last scrolled to. */
let centred = null;

translate();
placeIcons();
document.title = `${t('programme.title')} · ${id}`;
element('remote').href = `${at}/remote`;
element('print').addEventListener('click', () => window.print());

const node = () => live?.nodes.get(id) ?? null;
const programme = () => node()?.programme ?? null;
/** The entries now; those of an earlier drawing may have changed when a button is pressed. */
const entries = () => programme()?.entries ?? [];
const isOperator = () => isAtLeast(live.role, 'operator');
/** Plans are made in the agenda's zone. */
const plannedTime = (instant) => timeOfDay(instant, node()?.agenda?.zone);

/** Sends a running order based on the one that is shown; returns what is wrong with it, or null. */
async function save(entries) {
  const revision = programme()?.revision;
  const answer = await command(id, 'programme', { entries: ownEntries(entries), ...(revision && { revision }) });
  return answer.ok ? null : answer.code === 'conflict' ? t('programme.conflict') : refusalText(answer);
}

async function replace(changed) {
  const refusal = await save(changed);
  if (refusal) toast(refusal, 'error');
}

async function go(entry) {
  const runs = node()?.state && node().state.mode !== 'stopped';
  if (runs && !await confirmDialog(t('programme.go.sure', { title: entry.title }))) return;
  const answer = await command(id, 'entry', { entry: entry.id });
  if (!answer.ok) toast(refusalText(answer), 'error');
}

async function skip(entry) {
  const answer = await command(id, 'entry', { skip: entry.id });
  if (!answer.ok) toast(refusalText(answer), 'error');
}

function timers() {
  return (node()?.timers?.groups ?? []).flatMap((group, index) => group.timers.map((timer, place) => {
    const path = `${index + 1}/${place + 1}`;
    return [path, `${timer.name || path} · ${clockText(timer.start)}`];
  }));
}

function edit(entry, place) {
  entryForm(entry, timers(), (changed) => {
    // Somebody else may have changed the others meanwhile.
    const others = entries();
    return save(entry.id ? others.map((other) => (other.id === entry.id ? changed : other))
      : [...others.slice(0, place), changed, ...others.slice(place)]);
  });
}

function actions(entry, index) {
  const act = (key, text, action) => h('button', {
    type: 'button', 'data-action': key, onclick: action, 'aria-label': t('programme.action', { action: text, title: entry.title }),
  }, text);
  const change = isOperator() && h('button', {
    type: 'button', 'data-action': 'change', class: 'quiet', 'aria-expanded': String(opened.has(entry.id)),
    'aria-label': t('programme.action', { action: t('programme.change'), title: entry.title }),
    onclick: () => {
      if (!opened.delete(entry.id)) opened.add(entry.id);
      draw();
    },
  }, '⋯');
  return [
    entry.state !== 'current' && act('go', t('programme.go'), () => go(entry)),
    entry.state === 'coming' && act('skip', t('programme.skip'), () => skip(entry)),
    change,
    ...(isOperator() && opened.has(entry.id) ? [
      act('edit', t('programme.edit'), () => edit(entry)),
      act('insert', t('programme.insert'), () => edit({}, index + 1)),
      index > 0 && act('up', '↑', () => replace(moved(entries(), entry.id, -1))),
      index < entries().length - 1 && act('down', '↓', () => replace(moved(entries(), entry.id, 1))),
      act('remove', t('programme.remove'), () => replace(entries().filter((other) => other.id !== entry.id))),
    ] : []),
  ];
}

function row(entry, index, now) {
  const expected = expectedAt(programme(), entry, isRunning(node().state?.mode), now);
  const planned = Date.parse(entry.planned ?? '');
  const promise = Number.isNaN(planned) ? entry.at : plannedTime(planned);
  const length = entry.start ? clockText(entry.start)
    : entry.until ? t('programme.until', { time: entry.until })
      : entry.timer ? timers().find(([path]) => path === entry.timer)?.[1] ?? entry.timer : '';
  const item = h('li', {
    class: 'entry', 'data-entry': entry.id, 'data-state': entry.state, draggable: isOperator() && 'true',
  },
    h('p', { class: 'time' }, expected === null ? '–' : plannedTime(expected),
      promise && h('span', { class: 'promise' }, t('programme.planned', { time: promise }))),
    h('p', { class: 'title' }, `${index + 1}. ${entry.title}`),
    h('p', { class: 'who' }, [entry.speaker, length].filter(Boolean).join(' · ')),
    h('p', { class: 'used' }, entry.used ? clockText(entry.used) : entry.state !== 'coming' && t(`programme.state.${entry.state}`)),
    entry.note && h('p', { class: 'note' }, entry.note),
    h('div', { class: 'actions' }, actions(entry, index)));
  if (entry.state === 'current') item.setAttribute('aria-current', 'true');
  return item;
}

function draw() {
  if (!node()) return;
  setText(element('heading'), nodeName(node()));
  for (const button of document.querySelectorAll('.operator')) button.hidden = !isOperator();
  const shown = programme();
  setText(element('state'), shown ? '' : t('programme.none'));
  element('state').hidden = Boolean(shown);
  const now = wallAt(node(), serverNow());
  if (!drag.isDragging) {
    const nameOf = (button) => `${button.closest('li').dataset.entry} ${button.dataset.action}`;
    keepFocus(element('entries'), nameOf, () => redrawList(
      element('entries'), entries().map((entry, index) => row(entry, index, now)), entries()));
  }
  const next = shown && nextEntry(shown);
  element('next').hidden = !next;
  if (next) setText(element('next-text'), t('programme.next', { title: next.speaker || next.title }));
  element('next').onclick = () => go(next);
  if (shown?.current !== centred) {
    centred = shown?.current ?? null;
    document.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
  }
}

const drag = new Drag(
  element('entries'), (id, place, other) => replace(movedBeside(entries(), id, place, other)), () => draw());
element('add').addEventListener('click', () => edit({}, entries().length));
element('paste').addEventListener('click', () => pasteForm(save));

if (await requireRole('remote')) {
  live = connect({ node: id, view: 'programme' });
  live.addEventListener('change', ({ detail }) => {
    if (detail.keys.includes('snapshot')) showNavigation(live, 'programme');
    draw();
  });
  live.addEventListener('session', () => logIn('remote'));
  onClock(draw);
  // What is expected moves on while nothing runs.
  setInterval(draw, 20_000);
}
