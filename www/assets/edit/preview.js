// A preview of a display: one run of a timer within a few seconds, repeated.
import { clockText, modeAt } from '../counting.js?v=';
import { LAMPS, signalOf, toneOf } from '../lamps.js?v=';
import { h, setText } from '../ui.js?v=';
import { modeWord } from './words.js?v=';

const RUN = 10_000;
const ALARM = 2_500;
const FRAME = 250;
const RING = 2 * Math.PI * 42;

const svg = (tag, attributes, ...children) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

function drawing(display) {
  const digits = svg('text', { class: 'digits', 'text-anchor': 'middle', 'dominant-baseline': 'central' });
  if (display === 'circular') {
    digits.setAttribute('x', 50);
    digits.setAttribute('y', 50);
    const ring = svg('circle', {
      class: 'ring', cx: 50, cy: 50, r: 42, 'stroke-dasharray': RING, transform: 'rotate(-90 50 50)' });
    const ground = svg('circle', { class: 'ring-ground', cx: 50, cy: 50, r: 42 });
    return { root: [ground, ring, digits], digits, ring, lamps: {} };
  }
  if (display === 'stoplights') {
    digits.setAttribute('x', 50);
    digits.setAttribute('y', 90);
    const lamps = Object.fromEntries(LAMPS.map((name, place) =>
      [name, svg('circle', { class: `lamp lamp-${name}`, cx: 50, cy: 15 + place * 25, r: 10 })]));
    const housing = svg('rect', { class: 'housing', x: 34, y: 1, width: 32, height: 78, rx: 9 });
    return { root: [housing, ...Object.values(lamps), digits], digits, ring: null, lamps };
  }
  digits.setAttribute('x', 50);
  digits.setAttribute('y', 50);
  return { root: [digits], digits, ring: null, lamps: {} };
}

/** A picture that is animated while it is on the page. */
export class Preview {
  constructor() {
    this.element = svg('svg', { class: 'preview', viewBox: '0 0 100 100', 'aria-hidden': 'true' });
    /** The word for the mode that is shown. */
    this.word = h('p', { class: 'preview-word', 'aria-hidden': 'true' });
    this.prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.began = performance.now();
    this.timer = setInterval(() => this.draw(), FRAME);
  }

  /** @param node the node as received: its signals determine the colours. */
  show(display, timer, node) {
    this.times = timer;
    this.node = node;
    this.drawing = drawing(display);
    this.element.dataset.display = display;
    this.element.replaceChildren(...this.drawing.root);
    this.draw();
  }

  draw() {
    if (!this.times) return;
    const passed = (performance.now() - this.began) % (RUN + ALARM);
    const start = this.times.start || 60;
    const left = passed >= RUN ? 0 : Math.ceil(start * (1 - passed / RUN));
    const mode = left > 0 ? modeAt(left, this.times) : 'alarm';
    const signal = signalOf(this.node, mode).lamps ?? {};
    const tone = toneOf(this.node, mode);
    // At most twice a second; steady if the user prefers reduced motion.
    const isOn = this.prefersReducedMotion || Math.floor(passed / 425) % 2 === 0;
    const isLit = signal[tone] !== 'blink' || isOn;
    const { digits, ring, lamps } = this.drawing;
    this.element.dataset.mode = mode;
    setText(this.word, modeWord(this.node, mode));
    this.element.dataset.tone = tone ?? '';
    this.element.dataset.lit = isLit;
    digits.textContent = clockText(left);
    digits.setAttribute('font-size', this.element.dataset.display === 'stoplights' ? 18 : left >= 3600 ? 18 : 24);
    ring?.setAttribute('stroke-dashoffset', RING * (1 - left / start));
    for (const [name, lamp] of Object.entries(lamps)) {
      lamp.dataset.lit = signal[name] === 'on' || (signal[name] === 'blink' && isOn);
    }
  }

  end() { clearInterval(this.timer); }
}
