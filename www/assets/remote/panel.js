// The content of the remote: the time, the lamps, the speaker, and the times that matter for qualifying.
import { budgetAt, clockText, count, timerAt } from '../counting.js?v=';
import { serverNow } from '../clock.js?v=';
import { digitEms, measureDigits } from '../digits.js?v=';
import { showHolds } from '../hold.js?v=';
import { setIcon } from '../icons.js?v=';
import { isAtLeast } from '../place.js?v=';
import { leadAt } from '../meeting.js?v=';
import { nextEntry } from '../programme/order.js?v=';
import { verdict } from '../qualification.js?v=';
import { t, wordText } from '../texts.js?v=';
import { h, nodeName, setText } from '../ui.js?v=';

/** The number of recent runs to show, if there is room. */
const RECENT = 5;

/** The commands that end, replace or reset a run. */
const COMMANDS = new Set([
  'start', 'stop', 'end', 'toggle', 'rewind', 'fast_forward', 'next', 'previous', 'select', 'switch', 'entry',
]);

/** The shortest time has as many characters as 0:00. */
const SHORTEST = 4;

const element = (id) => document.getElementById(id);
const duration = (seconds) => (seconds ? clockText(seconds) : '–');

/** The line below the list of timers: a timer that is not in the list, what follows, and the budget of a debate. */
function timerText(node, now) {
  const { timer, next } = node.state;
  const listed = timerAt(node.timers, timer.path).timer;
  const parts = listed?.name === timer.name ? [] : [timer.name || timer.path];
  if (next) {
    const following = timerAt(node.timers, next).timer?.name;
    parts.push(t('remote.then', { timer: following || next }));
  }
  const budget = budgetAt(node, now);
  if (budget !== null) parts.push(t('remote.budget', { time: clockText(budget) }));
  const lead = leadAt(node, now);
  if (lead) parts.push(t('remote.lead', { name: lead.name, time: clockText(lead.seconds) }));
  return parts.join(' · ');
}

/** Whether the selected timer is the account of one of two sides. */
function hasSides(node) {
  const { group, timer } = timerAt(node.timers, node.state.timer?.path);
  return Boolean(timer?.carry) && group.timers.length === 2;
}

function linkText(live, node) {
  if (live.status === 'connecting') return ['waiting', t('remote.link.connecting')];
  if (live.status !== 'live') return ['bad', t('remote.link.reconnecting')];
  if (!live.broker?.connected) return ['bad', t('remote.link.broker')];
  if (!node) return ['bad', t('remote.link.unknown')];
  if (node.availability !== 'online') return ['bad', t('remote.link.offline')];
  if (!live.reaches(node.id)) return ['waiting', t('remote.link.waiting')];
  if (node.state?.locked) return ['waiting', t(`remote.link.locked.${node.state.locked}`)];
  return ['good', t('remote.link.live')];
}

/** The part of the page that shows a node. It redraws itself whenever the displayed time changes. */
export class Panel {
  #timer = null;
  #widths = measureDigits();
  #live;
  #id;

  constructor(live, id) {
    [this.#live, this.#id] = [live, id];
  }

  get node() { return this.#live.nodes.get(this.#id) ?? null; }

  /** Updates the page after a message of the node. */
  update() {
    const { node } = this;
    this.#link(node);
    element('lock').hidden = !isAtLeast(this.#live.role, 'operator');
    setText(element('name'), nodeName({ id: this.#id, name: node?.name }));
    const message = element('shown-message');
    message.hidden = !node?.message;
    setText(message, node?.message?.text ?? '');
    setText(element('speaker-name'), node?.state?.speaker || t('remote.speaker.none'));
    element('speaker').classList.toggle('empty', !node?.state?.speaker);
    this.#recent(node?.runs?.runs ?? []);
    this.#result(node);
    this.draw();
  }

  #link(node) {
    const [kind, text] = linkText(this.#live, node);
    setText(element('link'), text);
    element('link').dataset.kind = kind;
  }

  /** Draws what changes with the time, and schedules the next drawing. */
  draw() {
    clearTimeout(this.#timer);
    const { node } = this;
    const now = serverNow();
    const shown = count(node, now, { countsUp: true, isReached: this.#live.reaches(this.#id) });
    document.body.dataset.mode = shown?.mode ?? 'unknown';
    if (!shown) {
      this.showDigits('–:––');
      setText(element('mode'), '');
      setText(element('timer'), '');
      element('lamps').hidden = true;
      return;
    }
    this.showDigits(shown.overtime === null ? shown.text : shown.overtimeText);
    const mode = wordText(shown.word);
    for (const name of ['mode', 'digits']) element(name).dataset.tone = shown.tone ?? '';
    setText(element('mode'), shown.estimate ? t('remote.estimate', { mode }) : mode);
    setText(element('timer'), timerText(node, now));
    this.#lamps(shown.lamps);
    this.#facts(node, shown);
    this.#play(shown.mode);
    showHolds();
    this.onDraw?.(node, shown);
    const wait = Math.min(1000, Math.max(15, shown.nextChange - now));
    if (node.state.mode !== 'stopped' && node.state.mode !== 'paused') this.#draw(wait);
    else if (Number.isFinite(shown.nextChange) || node.state.lead) this.#draw(wait);
  }

  showDigits(text) {
    setText(element('digits'), text);
    element('digits').style.setProperty('--ems', digitEms(text, Math.max(SHORTEST, text.length), this.#widths));
  }

  /** Measures the digits again, after their font has been loaded. */
  measure() {
    this.#widths = measureDigits();
    this.draw();
  }

  #draw(wait) { this.#timer = setTimeout(() => this.draw(), wait); }

  #lamps(lamps) {
    const list = element('lamps');
    const names = [...list.children].map((item) => item.dataset.lamp);
    list.hidden = !names.some((name) => name in lamps);
    for (const item of list.children) {
      const lamp = lamps[item.dataset.lamp];
      item.hidden = !lamp;
      item.classList.toggle('lit', Boolean(lamp?.lit));
      const name = t(`display.lamp.${item.dataset.lamp}`);
      const label = t(`display.lamp.${lamp?.state ?? 'off'}`, { name });
      setText(item.firstElementChild ?? item.appendChild(h('span', { class: 'visually-hidden' })), label);
    }
  }

  #facts(node, shown) {
    const { used } = shown;
    // The node reports the bounds of a run, unless it has only a single time; before a run they are the timer's.
    const waiting = shown.mode === 'stopped' ? timerAt(node.timers, node.state.timer?.path).timer : null;
    const bounds = shown.bounds ?? waiting ?? {};
    setText(element('elapsed'), used === null ? '–' : shown.elapsedText);
    setText(element('minimum'), duration(bounds.minimum));
    setText(element('maximum'), duration(bounds.maximum));
    const { kind, difference } = verdict(used, bounds);
    const qualified = element('qualified');
    setText(qualified, t(`remote.verdict.${kind}`, { time: clockText(difference), grace: bounds.grace }));
    qualified.dataset.kind = kind;
    const locked = node.state.locked !== false && node.state.locked !== undefined;
    element('lock').setAttribute('aria-pressed', String(locked));
    setText(element('lock-text'), t(locked ? 'remote.unlock' : 'remote.lock'));
    setIcon(element('lock'), locked ? 'unlock' : 'lock');
    element('switch').hidden = !hasSides(node);
    element('next').hidden = hasSides(node);
  }

  /** The large button shows its action, according to the mode that is shown. */
  #play(mode) {
    const action = { stopped: 'start', paused: 'resume', alarm: 'stop' }[mode] ?? 'pause';
    setText(element('play-text'), t(`remote.play.${action}`));
    setIcon(element('play'), ['pause', 'stop'].includes(action) ? action : 'play');
    // During the alarm the large button is the one that stops.
    const entry = action === 'start' ? waitingEntry(this.node) : null;
    element('next-entry').hidden = !entry;
    if (entry) setText(element('next-entry-text'), t('programme.next', { title: entry.speaker || entry.title }));
    const stop = element('stop');
    stop.hidden = (action === 'start' || action === 'stop') && !stop.classList.contains('holding');
  }

  /** The last run stays until the next one starts. */
  #result(node) {
    const run = node?.state?.mode === 'stopped' ? node.runs?.runs?.[0] : null;
    element('result').hidden = !run;
    if (run) setText(element('result'), resultText(run));
    // What the node brings back: it says for how long.
    const undo = node?.state?.undo;
    element('undo').hidden = !undo;
    if (undo) setText(element('undo'), undoText(undo.command));
  }

  #recent(runs) {
    element('recent').hidden = runs.length === 0;
    element('recent-runs').replaceChildren(...runs.slice(0, RECENT).map((run) => h('li', {}, resultText(run))));
  }
}

/** The entry of the running order to go to: the next one, unless the current one has not been run yet. */
function waitingEntry({ programme }) {
  if (!programme) return null;
  const current = programme.entries.find(({ state }) => state === 'current');
  const isTimed = current && (current.timer || current.start || current.until);
  return isTimed && !current.used ? null : nextEntry(programme);
}

/** The label of the button that undoes a command. */
function undoText(command) {
  const verb = COMMANDS.has(command) ? t(`remote.undo.${command}`) : command;
  return t('remote.undo', { command: verb });
}

/** A run in one line: who, how long, whether qualified. */
export function resultText(run) {
  const { kind, difference } = verdict(run.used, run);
  const reason = ['short', 'over'].includes(kind) ? kind : 'no';
  const success = ['early', 'late'].includes(kind) ? kind : 'yes';
  const unruled = run.over >= 1 ? 'overtime' : 'none';
  const key = { true: success, false: reason }[String(run.qualified)] ?? unruled;
  return t(`remote.run.${key}`, {
    name: run.speaker || run.name || run.timer, time: clockText(run.used),
    difference: clockText(key === 'overtime' ? run.over : difference),
  });
}
