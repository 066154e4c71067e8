// The running order beside the clock, where there is room for it: what was, what is on, and what comes.
import { onClock, serverNow } from '../clock.js?v=';
import { clockText, isRunning, wallAt } from '../counting.js?v=';
import { expectedAt } from '../programme/order.js?v=';
import { keepFocus, redraw } from '../redraw.js?v=';
import { t, timeOfDay } from '../texts.js?v=';
import { confirmDialog, h } from '../ui.js?v=';
import { isInProgress } from './controls.js?v=';

/** What is expected moves on while nothing runs. */
const INTERVAL = 20_000;

const element = (id) => document.getElementById(id);

export class Order {
  #current = null;

  constructor(controls) {
    this.controls = controls;
    onClock(() => this.draw());
    setInterval(() => this.draw(), INTERVAL);
  }

  draw() {
    const { node } = this.controls;
    const entries = node?.programme?.entries ?? [];
    const list = element('order-entries');
    element('order').hidden = entries.length === 0;
    keepFocus(list, (button) => button.dataset.entry, () => redraw(
      list, entries.map((entry, index) => h('li', {}, this.#line(node, entry, index)))));
    const current = node?.programme?.current ?? null;
    if (current === this.#current) return;
    this.#current = current;
    // Scrolls the list alone, and not the page.
    const line = list.querySelector('[aria-current]');
    if (line) list.scrollTop = line.offsetTop - list.clientHeight / 3;
  }

  #time(node, entry) {
    if (entry.state !== 'coming') return entry.used ? clockText(entry.used) : t(`programme.state.${entry.state}`);
    const wall = wallAt(node, serverNow());
    const expected = expectedAt(node.programme, entry, isRunning(node.state?.mode), wall);
    return expected === null ? '' : timeOfDay(expected, node.agenda?.zone);
  }

  #line(node, entry, index) {
    return h('button', {
      type: 'button', dataset: { entry: entry.id, state: entry.state }, onclick: () => this.#go(entry),
      'aria-current': entry.state === 'current' && 'true',
    }, h('span', {}, `${index + 1}. ${[entry.title, entry.speaker].filter(Boolean).join(' · ')}`),
    h('span', { class: 'digits' }, this.#time(node, entry)));
  }

  async #go(entry) {
    const { controls } = this;
    if (isInProgress(controls.node) && !await confirmDialog(t('programme.go.sure', { title: entry.title }))) return;
    controls.send('entry', { entry: entry.id });
  }
}
