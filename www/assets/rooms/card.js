// One node among the rooms: its stoplight, its time, and its timers.
import { count, clockText } from '../counting.js?v=';
import { LAMPS } from '../lamps.js?v=';
import { isAtLeast } from '../place.js?v=';
import { settings } from '../settings.js?v=';
import { t, wordText } from '../texts.js?v=';
import { h, nodeName, setText, toast } from '../ui.js?v=';

/** The code for changes is loaded when it is needed, and again if that failed. */
async function change(act) {
  const changes = await import('./changes.js?v=').catch(() => null);
  if (changes) await act(changes);
  else toast(t('common.not_sent'), 'error');
}

/**
 * The seconds left of timers that were paused when another was selected, by their ids. They are stored here because the
 * node keeps only one run.
 */
export const leftOf = (node) => settings.get('left')?.[node] ?? {};

function setLit(lamp, isLit) {
  if (('lit' in lamp.dataset) === isLit) return;
  if (isLit) lamp.dataset.lit = '';
  else delete lamp.dataset.lit;
}

export class Card {
  #parts;
  #listed = null;
  #selected = null;
  #name = null;

  constructor(id, live) {
    this.id = id;
    this.live = live;
    const p = (name) => h('p', { class: name });
    const lamps = LAMPS.map((name) => h('span', { class: 'lamp', dataset: { lamp: name } }));
    this.#parts = {
      lamps, mode: p('mode'), time: h('p', { class: 'time', role: 'timer' }), timer: p('timer'), place: p('place'),
      speaker: p('speaker'), message: p('message'), connection: p('connection'), links: h('p', { class: 'links' }),
      timers: h('div', { class: 'groups' }), ways: h('div', { class: 'ways' }), title: h('h2'),
      light: h('span', { class: 'stoplight', role: 'img' }, lamps), now: h('a', { class: 'now', href: `n/${id}` }),
    };
    const { title, light, now, mode, time, timer, place, speaker, message, connection, ways, links, timers } =
      this.#parts;
    now.append(light, h('div', { class: 'words' }, title, timer, place, speaker, connection),
      h('div', { class: 'digits' }, time, mode));
    this.element = h('article', { class: 'card room', dataset: { node: id } }, now, message, ways, timers, links);
  }

  get node() { return this.live.nodes.get(this.id); }

  /** Shows the node as it is at an instant; returns when that changes. */
  update(now, isSteady) {
    const counted = count(this.node, now, { isSteady, isReached: this.live.reaches(this.id) });
    this.#updateName();
    this.#updateList(counted);
    this.#updateNow(counted);
    return counted?.nextChange ?? Infinity;
  }

  /** A node may send its name later than the rest, and a different one after a restart. */
  #updateName() {
    const name = nodeName(this.node);
    if (name === this.#name) return;
    this.#name = name;
    const { title, now } = this.#parts;
    setText(title, name);
    now.setAttribute('aria-label', t('rooms.open', { name }));
  }

  #updateNow(counted) {
    const { lamps, light, mode, time, timer, place, speaker, message } = this.#parts;
    const { state } = this.node;
    const isOver = counted?.overtime !== null && counted?.overtime !== undefined;
    const word = counted ? wordText(counted.word) : '';
    for (const lamp of lamps) setLit(lamp, Boolean(counted?.lamps[lamp.dataset.lamp]?.lit));
    const on = LAMPS.filter((name) => (counted?.lamps[name]?.state ?? 'off') !== 'off');
    const label = on.map((name) => t(`display.lamp.${name}`)).join(', ') || t('display.lamp.none');
    if (light.getAttribute('aria-label') !== label) light.setAttribute('aria-label', label);
    this.element.dataset.mode = counted?.mode ?? '';
    setText(mode, word);
    for (const part of [time, mode]) part.dataset.tone = counted?.tone ?? '';
    setText(time, counted ? (isOver ? counted.overtimeText : counted.text) : '');
    time.toggleAttribute('data-long', time.textContent.length > 6);
    if (this.#selected) setText(this.#selected, counted ? counted.text : '');
    setText(timer, counted?.timer?.name || state?.group?.name || '');
    setText(place, [counted?.timer?.event, counted?.timer?.location].filter(Boolean).join(' · '));
    setText(speaker, state?.speaker ? t('rooms.speaker', { name: state.speaker }) : '');
    setText(message, this.node.message?.text ? t('rooms.message', { text: this.node.message.text }) : '');
    this.#updateConnection(counted);
  }

  #updateConnection(counted) {
    const { connection } = this.#parts;
    const { availability } = this.node;
    const isAway = this.live.status !== 'live' || !this.live.broker?.connected;
    let text = t(`rooms.${availability ?? 'never'}`);
    const isCounting = counted && !['stopped', 'paused'].includes(counted.mode);
    if (isCounting && (isAway || counted.estimate)) text += ` · ${t('display.estimate')}`;
    setText(connection, text);
    this.element.dataset.availability = isAway ? 'away' : availability ?? 'never';
  }

  /** The lists of timers are redrawn when the timers, the selection or the role changed, not every second. */
  #updateList(counted) {
    const { timers, ways, links } = this.#parts;
    const path = counted?.timer?.path;
    const { role } = this.live;
    const stamp = JSON.stringify([this.node.timers, path, role, this.#name, leftOf(this.id)]);
    if (stamp === this.#listed) return;
    this.#listed = stamp;
    this.#selected = null;
    const groups = this.node.timers?.groups ?? [];
    timers.replaceChildren(...groups.flatMap((group, place) => [
      h('h3', {}, group.name || t('rooms.group', { number: place + 1 })),
      h('ul', { class: 'timers', 'aria-label': group.name || t('rooms.group', { number: place + 1 }) },
        group.timers.map((timer, item) => this.#row(group, timer, `${place + 1}/${item + 1}`, path)))]));
    const may = isAtLeast(role, 'remote');
    const link = (page, address, kind = '') => h('a', { class: `button ${kind}`, href: address,
      'aria-label': t(`rooms.${page}_label`, { name: this.#name }) }, t(`rooms.${page}`));
    ways.replaceChildren(link('display', `n/${this.id}`, may ? '' : 'primary'),
      ...(may ? [link('remote', `n/${this.id}/remote`, 'primary')] : []));
    const edit = `n/${this.id}/edit`;
    links.replaceChildren(
      ...(role === 'operator' ? [link('add', `${edit}?add=${path?.split('/')[0] ?? ''}`), link('edit', edit)] : []),
      ...(may ? [link('report', `n/${this.id}/report`)] : []));
  }

  #row(group, timer, path, selectedPath) {
    const isSelected = path === selectedPath;
    const name = timer.name || group.name || path;
    const left = leftOf(this.id)[timer.id];
    const time = h('span', { class: 'left' }, clockText(left ?? timer.start));
    if (isSelected) this.#selected = time;
    const mark = left !== undefined && !isSelected ? t('rooms.left', { time: clockText(left) }) : null;
    const details = [timer.event, timer.location, mark].filter(Boolean).join(' · ');
    const { role } = this.live;
    const maySelect = isAtLeast(role, 'remote');
    const texts = [
      h('span', { class: 'name' }, name), h('span', { class: 'details' }, details), time];
    // A remote has a button as large as the row. For other users, the row opens the countdown of that timer, with a
    // separate button for operators.
    return h('li', { 'aria-current': isSelected ? 'true' : null },
      role === 'remote' && !isSelected ? h('div', { class: 'row' }, texts)
        : h('a', { class: 'row', href: `n/${this.id}?timer=${encodeURIComponent(timer.id)}` }, texts),
      maySelect && h('button', {
        type: 'button', disabled: isSelected, 'aria-label': t('rooms.select_label', { name }),
        onclick: () => change(({ select }) => select(this.node, timer, path, name)),
      }, isSelected ? t('rooms.selected') : t('rooms.select')));
  }
}
