// Moves a timer to another position, with the mouse, a finger, or the keyboard.
import { isSame } from '../same.js?v=';
import { t } from '../texts.js?v=';
import { CAPACITY } from './clamps.js?v=';
import { groupName, timerName } from './differences.js?v=';
import { find } from './operations.js?v=';

/** How far the mouse must move before a press becomes a drag. */
const SLIP = 6;
/** Closer to the edge of the screen than this, dragging scrolls by this many pixels a frame. */
const EDGE = 56;
const STEP = 12;

/**
 * All positions to which a timer can move, in reading order, in the model without it; a group that it leaves empty
 * still counts.
 */
function placesFor(model, id) {
  const without = model.groups.map(({ timers }) => timers.filter((timer) => timer.id !== id).length);
  const places = without.flatMap((count, group) =>
    (count < CAPACITY ? Array.from({ length: count + 1 }, (_, item) => ({ group, item })) : []));
  // If it is the only timer in the last group, a new group at the end would be where its group already is.
  const isAloneAtEnd = without.at(-1) === 0;
  return isAloneAtEnd ? places : [...places, { group: model.groups.length, item: 0 }];
}

export class Carry {
  /**
   * @param {Element} element the matrix.
   * @param {{model: () => object, revision: () => number, announce: (text: string) => void, drop: (id: string, place:
   *   object, model: object, revision: number) => void, end: () => void}} owner `drop` receives the model that the user
   *   saw, because someone else may have changed it since.
   */
  constructor(element, owner) {
    this.element = element;
    this.owner = owner;
    this.held = null;
    element.addEventListener('keydown', (event) => this.#key(event));
    element.addEventListener('pointerdown', (event) => this.#down(event));
    element.addEventListener('focusout', () => {
      // The matrix is redrawn now and then, which removes the focus for a moment.
      if (this.held?.byKey) setTimeout(() => { if (!element.contains(document.activeElement)) this.cancel(); });
    });
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.held && !this.held.byKey) this.cancel();
    });
  }

  get isCarrying() { return this.held !== null; }

  #pickUp(id, byKey) {
    const model = this.owner.model();
    const found = find(model, id);
    if (!found) return;
    const { group, item, timer } = found;
    this.held = { id, byKey, name: timerName(timer), from: { group, item }, at: { group, item }, model,
      revision: this.owner.revision(), places: placesFor(model, id) };
    this.#cell(id).classList.add('is-held');
    this.element.classList.add('is-carrying');
    this.owner.announce(t('edit.carry.picked_up', { timer: this.held.name, place: this.#placeText(this.held.at) }));
    this.#mark();
  }

  #cell(id) { return this.element.querySelector(`.cell[data-id="${CSS.escape(id)}"]`); }

  #placeText({ group, item }) {
    const { model, id } = this.held;
    if (group >= model.groups.length) return t('edit.carry.new_group');
    const others = model.groups[group].timers.filter((timer) => timer.id !== id).length;
    return t('edit.carry.place', {
      group: groupName(model.groups[group], group), item: item + 1, count: others + 1 });
  }

  #goTo(place) {
    if (!place || isSame(place, this.held.at)) return;
    this.held.at = place;
    this.#mark();
    if (this.held.byKey) this.owner.announce(this.#placeText(place));
  }

  #unmark() {
    for (const name of ['drop-before', 'drop-end', 'drop-refused']) {
      for (const marked of this.element.querySelectorAll(`.${name}`)) marked.classList.remove(name);
    }
  }

  #mark() {
    this.#unmark();
    const { at, id } = this.held;
    const row = this.element.querySelector(`.row[data-group="${at.group}"]`);
    const cells = [...row.querySelectorAll('.cell[data-id]')].filter((cell) => cell.dataset.id !== id);
    if (at.item < cells.length) cells[at.item].classList.add('drop-before');
    else row.classList.add('drop-end');
    if (this.held.byKey) row.scrollIntoView({ block: 'nearest' });
  }

  #release() {
    const held = this.held;
    this.held = null;
    this.#unmark();
    this.element.classList.remove('is-carrying');
    this.#cell(held.id)?.classList.remove('is-held');
    held.ghost?.remove();
    cancelAnimationFrame(held.frame);
    return held;
  }

  cancel() {
    if (!this.held) return;
    const { name } = this.#release();
    this.owner.announce(t('edit.carry.cancelled', { timer: name }));
    this.owner.end();
  }

  #drop() {
    const text = this.#placeText(this.held.at);
    const { id, at, from, name, model, revision } = this.#release();
    this.owner.announce(t('edit.carry.dropped', { timer: name, place: text }));
    if (isSame(at, from)) this.owner.end();
    else this.owner.drop(id, at, model, revision);
  }

  // The keyboard.

  #key(event) {
    const grip = event.target.closest?.('.grip');
    if (this.held?.byKey) {
      const isHandled = this.#carryingKey(event.key);
      if (isHandled) event.preventDefault();
    } else if (grip && [' ', 'Enter'].includes(event.key)) {
      event.preventDefault();
      this.#pickUp(grip.closest('.cell').dataset.id, true);
    }
  }

  #carryingKey(key) {
    const { places, at } = this.held;
    const index = places.findIndex((place) => isSame(place, at));
    const otherGroup = (step) => {
      const groups = [...new Set(places.map(({ group }) => group))];
      const group = groups[groups.indexOf(at.group) + step];
      const inside = places.filter((place) => place.group === group);
      return inside[Math.min(at.item, inside.length - 1)];
    };
    const moves = {
      ArrowLeft: () => places[index - 1], ArrowRight: () => places[index + 1],
      ArrowUp: () => otherGroup(-1), ArrowDown: () => otherGroup(1),
    };
    if (moves[key]) this.#goTo(moves[key]());
    else if ([' ', 'Enter'].includes(key)) this.#drop();
    else if (key === 'Escape' || key === 'Tab') this.cancel();
    return key in moves || [' ', 'Enter', 'Escape'].includes(key);
  }

  // Mouse and finger. A finger drags only by the grip, so that it can scroll everywhere else.

  #down(event) {
    const cell = event.target.closest('.cell[data-id]');
    if (!cell || event.button !== 0 || event.target.closest('.bin') || this.held) return;
    const isGrip = Boolean(event.target.closest('.grip'));
    if (event.pointerType !== 'mouse' && !isGrip) return;
    const start = { x: event.clientX, y: event.clientY };
    const { pointerId } = event;
    // The timer that this press carries or has carried: after Escape it stays in its old position, however the mouse
    // moves.
    let lifted = null;
    const moved = (move) => {
      if (move.pointerId !== pointerId) return;
      if (!lifted) {
        if (this.held || Math.hypot(move.clientX - start.x, move.clientY - start.y) < SLIP) return;
        this.#pickUp(cell.dataset.id, false);
        if (!this.held) return;
        lifted = this.held;
        this.#lift(cell, start);
      }
      if (this.held === lifted) this.#follow(move.clientX, move.clientY);
    };
    const end = (up) => {
      if (up.pointerId !== pointerId) return;
      for (const [name, listener] of Object.entries(listeners)) window.removeEventListener(name, listener);
      if (!lifted) return;
      // The press that ends a drag must not count as a press on the timer below.
      window.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
      if (this.held !== lifted) return;
      if (up.type === 'pointercancel') this.cancel();
      else this.#drop();
    };
    const swallow = (click) => click.stopPropagation();
    const listeners = { pointermove: moved, pointerup: end, pointercancel: end };
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener);
  }

  /** A picture of the timer follows the pointer. */
  #lift(cell, start) {
    const box = cell.getBoundingClientRect();
    const ghost = cell.cloneNode(true);
    ghost.classList.add('ghost');
    ghost.inert = true;
    ghost.removeAttribute('data-id');
    ghost.style.setProperty('width', `${box.width}px`);
    document.body.append(ghost);
    Object.assign(this.held, { ghost, dx: box.left - start.x, dy: box.top - start.y });
    const scroll = () => {
      if (!this.held) return;
      const { x, y } = this.held;
      if (y < EDGE) window.scrollBy(0, -STEP);
      else if (y > innerHeight - EDGE) window.scrollBy(0, STEP);
      if (y < EDGE || y > innerHeight - EDGE) this.#hover(x, y);
      this.held.frame = requestAnimationFrame(scroll);
    };
    scroll();
  }

  #follow(x, y) {
    const { ghost, dx, dy } = this.held;
    Object.assign(this.held, { x, y });
    ghost.style.setProperty('transform', `translate(${x + dx}px, ${y + dy}px)`);
    this.#hover(x, y);
  }

  /** Moves to the position where the timer would be dropped; if it does not fit there, to its current position. */
  #hover(x, y) {
    const rows = [...this.element.querySelectorAll('.row')];
    const distance = (box) => Math.hypot(
      Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
    const nearest = (elements) => elements.reduce((best, one) => {
      const far = distance(one.getBoundingClientRect());
      return best && best.far <= far ? best : { one, far };
    }, null)?.one;
    const row = nearest(rows);
    const cells = [...row.querySelectorAll('.cell[data-id]')].filter((cell) => cell.dataset.id !== this.held.id);
    const cell = nearest(cells);
    let item = 0;
    if (cell) {
      const box = cell.getBoundingClientRect();
      item = cells.indexOf(cell) + (x > (box.left + box.right) / 2 ? 1 : 0);
    }
    const wished = { group: Number(row.dataset.group), item };
    const place = this.held.places.find((one) => isSame(one, wished));
    this.#goTo(place ?? this.held.from);
    for (const other of rows) other.classList.toggle('drop-refused', !place && other === row);
  }
}
