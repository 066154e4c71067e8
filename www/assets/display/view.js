// Renders a picture, and touches only what has changed.
import { digitEms, measureDigits } from '../digits.js?v=';
import { setText, t } from '../texts.js?v=';
import { ALL_ELEMENTS } from './parameters.js?v=';

const element = (id) => document.getElementById(id);
const TEXTS = ['now', 'name', 'place', 'speaker', 'next', 'expected', 'end', 'behind', 'clock'];
/** The element name in the address to which an element of the page belongs, if it is a different one. */
const BELONGS_TO = { behind: 'end' };

/** Sets or removes an attribute, if it changes. */
function setData(target, name, value) {
  if (value === null || value === undefined || value === false) {
    if (name in target.dataset) delete target.dataset[name];
  } else if (target.dataset[name] !== String(value)) {
    target.dataset[name] = value;
  }
}

const styles = new WeakMap();
function setStyle(target, name, value) {
  const known = styles.get(target) ?? styles.set(target, {}).get(target);
  if (known[name] === value) return;
  known[name] = value;
  if (value === null) target.style.removeProperty(name);
  else target.style.setProperty(name, value);
}

/** Hides an empty string so that it takes up no space. */
function show(target, text) {
  const isEmpty = !text;
  if (target.hidden !== isEmpty) target.hidden = isEmpty;
  if (!isEmpty) setText(target, text);
}

/** An entry of the running order: what, by whom, and when. */
function listItem({ text, state, time }) {
  const item = document.createElement('li');
  item.dataset.state = state;
  if (state === 'current') item.setAttribute('aria-current', 'true');
  for (const part of [text, time]) if (part) item.appendChild(document.createElement('span')).textContent = part;
  return item;
}

export class View {
  #widths = measureDigits();
  #stage = element('stage');
  #message;
  #list;

  /** Measures the digits again, after their font has been loaded. */
  measure() { this.#widths = measureDigits(); }

  /** Applies what does not change with the time: the kind of display, colours, size. */
  dress(options) {
    const stage = this.#stage;
    const root = document.documentElement;
    this.options = options;
    setData(stage, 'kind', options.kind);
    setData(stage, 'colours', options.colours);
    setData(stage, 'mirror', options.mirror);
    setData(stage, 'steady', options.isSteady || null);
    setData(root, 'transparent', options.isTransparent || null);
    setData(root, 'palette', options.colourSet === 'usual' ? null : options.colourSet);
    setStyle(stage, '--size', String(options.size));
    const { foreground, background, ...lamps } = options.palette;
    for (const [name, colour] of Object.entries(lamps)) {
      setStyle(root, `--tone-${name}`, colour);
      setStyle(root, `--lamp-${name}`, colour);
    }
    setStyle(root, '--foreground', foreground);
    setStyle(root, '--background', background);
    for (const name of ALL_ELEMENTS) stage.classList.toggle(`without-${name}`, !options.elements.has(name));
  }

  update(picture) {
    const stage = this.#stage;
    setData(stage, 'state', picture.state);
    setData(stage, 'mode', picture.mode);
    setData(stage, 'over', picture.isOver);
    setData(stage, 'lit', picture.lit);
    setData(stage, 'tone', picture.tone);
    setData(stage, 'flash', picture.isFlash);
    show(element('notice-title'), picture.title);
    show(element('notice-hint'), picture.hint);
    show(element('connection'), picture.connection);
    if (picture.state !== 'shown') {
      this.#updateMessage(null);
      return;
    }
    for (const name of TEXTS) {
      const isShown = name === 'place' || this.options.elements.has(BELONGS_TO[name] ?? name);
      show(element(name), isShown ? picture[name] : null);
    }
    show(element('mode'), picture.word);
    this.#updateDigits(picture);
    this.#updateLamps(picture);
    this.#updateProgress(picture);
    this.#updateList(picture.list);
    this.#updateMessage(picture.message);
  }

  #updateDigits({ digits, length }) {
    setText(element('time'), digits);
    setStyle(this.#stage, '--ems', digitEms(digits, length, this.#widths));
  }

  #updateLamps({ lamps, word }) {
    for (const lamp of element('lamps').children) setData(lamp, 'lit', lamps[lamp.dataset.lamp]?.lit || null);
    // The label does not say whether a flashing lamp is currently lit, because a screen reader would repeat each
    // change.
    const on = Object.entries(lamps).filter(([, lamp]) => lamp.state !== 'off');
    const names = on.map(([name, lamp]) => t(`display.lamp.${lamp.state}`, { name: t(`display.lamp.${name}`) }));
    const label = `${word}: ${names.join(', ') || t('display.lamp.none')}`;
    if (element('lamps').getAttribute('aria-label') !== label) element('lamps').setAttribute('aria-label', label);
  }

  #updateProgress({ progress, parts, isOver }) {
    const left = isOver ? 0 : 1 - progress;
    // The complete ring overlaps slightly; otherwise its ends would be visible.
    const dash = left === 1 ? 1010 : left * 1000;
    setStyle(element('left'), 'stroke-dasharray', `${dash.toFixed(1)} 2000`);
    setStyle(element('done'), 'transform', `scaleX(${(1 - left).toFixed(4)})`);
    for (const part of this.#stage.querySelectorAll('.part')) {
      const { share, tone } = parts[part.dataset.part];
      setData(part, 'tone', tone);
      if (part instanceof SVGElement) setStyle(part, 'stroke-dasharray', `${(share * 1000).toFixed(1)} 2000`);
      else setStyle(part, 'width', `${(share * 100).toFixed(2)}%`);
    }
  }

  #updateList(entries) {
    const text = JSON.stringify(entries);
    if (text === this.#list) return;
    this.#list = text;
    element('list').hidden = entries.length === 0;
    setData(this.#stage, 'list', entries.length > 0 ? '' : null);
    element('list').replaceChildren(...entries.map(listItem));
  }

  #updateMessage(text) {
    if (text === this.#message) return;
    this.#message = text;
    show(element('text'), text);
    element('message').hidden = !text;
    setData(this.#stage, 'message', text && this.options.elements.has('message') ? '' : null);
    if (text) this.fitMessage();
  }

  /** Finds the largest size in which the message fits: once, and again when the screen changes. */
  fitMessage() {
    const box = element('message');
    const text = element('text');
    if (box.hidden) return;
    let [small, large] = [8, Math.max(9, Math.round(box.clientHeight * 0.8))];
    while (large - small > 1) {
      const size = Math.round((small + large) / 2);
      text.style.fontSize = `${size}px`;
      // A little room is left above and below.
      if (text.scrollHeight <= 0.92 * box.clientHeight && text.scrollWidth <= box.clientWidth) small = size;
      else large = size;
    }
    text.style.fontSize = `${small}px`;
  }
}
