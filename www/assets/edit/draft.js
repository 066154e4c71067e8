// What a user has changed in the form of a timer, and the timer that follows from it. No elements here.
import { clockText } from '../counting.js?v=';
import { t } from '../texts.js?v=';
import { clampTimer, timesOf } from './clamps.js?v=';
import { hasCards, timeName } from './words.js?v=';

export const TEXTS = ['name', 'event', 'location'];
export const BOUNDS = ['minimum', 'maximum'];
/** The times at which lamps change, in their order; on a card they are green, yellow and red. */
export const CHANGES = ['warning', 'final', 'start'];
export const TIMES = [...CHANGES, ...BOUNDS];

/** A timer's times as they are used up, in seconds, 0 for none: when warning and final begin, and when the time is up. */
function elapsedOf({ start, warning, final, minimum, maximum }) {
  return { warning: warning && start - warning, final: final && start - final, start, minimum, maximum };
}

/** The times of the node's model from those of the form. */
function modelOf(wished) {
  const left = (time) => (time ? Math.max(1, wished.start - time) : 0);
  return clampTimer({ ...wished, warning: left(wished.warning), final: left(wished.final) });
}

/** A speech qualifies from green to red. */
const boundsOf = ({ warning, start }) => ({ minimum: warning, maximum: start });

/** Whether a timer is a card: all three lamps come on, and its bounds follow from them. */
function isCardOf(timer, node) {
  const times = elapsedOf(timesOf(timer));
  const { minimum, maximum } = boundsOf(times);
  return hasCards(node) && times.warning > 0 && times.final > 0
    && times.minimum === minimum && times.maximum === maximum;
}

/** The user's changes to a timer, kept as entered: other times may clamp them, and later stop clamping them. */
export class Draft {
  constructor(timer, node) {
    [this.timer, this.node] = [timer, node];
    this.wishes = {};
    /** The bounds of a card that has become a countdown. */
    this.bounds = {};
    this.isCard = isCardOf(timer, node);
  }

  wish(key, value) { this.wishes[key] = value; }

  /** The same changes to a newer version of the timer. */
  on(timer) {
    const { wishes, bounds, isCard } = this;
    return Object.assign(new Draft(timer, this.node), { wishes: { ...wishes }, bounds, isCard });
  }

  /** Makes it a card, or a countdown. Bounds that were entered come back, but those of a card stay what they were. */
  become(isCard) {
    if (this.isCard && !isCard && isCardOf(this.timer, this.node)) this.bounds = boundsOf(this.entered);
    this.isCard = isCard;
  }

  /** The times that the user has entered. The bounds of a card follow its lamps. */
  get entered() {
    const times = { ...elapsedOf(timesOf(this.timer)), ...this.bounds, ...this.#wished(TIMES) };
    return this.isCard ? { ...times, ...boundsOf(times) } : times;
  }

  /** The times that the node gets, as they are used up. */
  get shown() { return this.isCard ? this.entered : elapsedOf(modelOf(this.entered)); }

  #wished(keys) { return Object.fromEntries(Object.entries(this.wishes).filter(([key]) => keys.includes(key))); }

  /** The fields that differ from the timer's, with strings trimmed. */
  get fields() {
    const texts = Object.entries(this.#wished(TEXTS)).map(([key, text]) => [key, text.trim()])
      .filter(([key, text]) => text !== (this.timer[key] ?? ''));
    const [before, now] = [timesOf(this.timer), modelOf(this.entered)];
    const times = TIMES.filter((key) => now[key] !== before[key]).map((key) => [key, now[key]]);
    const carry = Boolean(this.wishes.carry ?? this.timer.carry);
    return { ...Object.fromEntries([...texts, ...times]), ...(carry !== Boolean(this.timer.carry) && { carry }) };
  }

  /**
   * What is wrong with a time; null if nothing is. A countdown's times are clamped, but those of a card are what is
   * printed on it, so they must be right, as `min`, `mid` and `max` must be in a configuration.
   */
  fault(key) {
    if (!this.isCard || !CHANGES.includes(key)) return null;
    const { entered } = this;
    if (entered[key] === 0) return t('edit.clamp.time');
    const other = CHANGES.slice(0, CHANGES.indexOf(key)).findLast((one) => entered[one] > 0);
    if (!other || entered[key] > entered[other]) return null;
    return t('edit.card.after', { time: clockText(entered[other]), other: timeName(this.node, other) });
  }

  /** The note below a time: why it differs from the one that was entered, otherwise what is left then. */
  note(key) {
    // Before the card is right, what is left at its times means nothing.
    if (CHANGES.some((one) => this.fault(one))) return null;
    const [entered, shown, times] = [this.entered, this.shown, modelOf(this.entered)];
    const isLamp = key === 'warning' || key === 'final';
    // The engine has no final mode of a single second.
    if (key === 'final' && times.final === 1) return t('edit.clamp.second');
    if (entered[key] === shown[key] || (isLamp && times[key] === 0 && !entered[key])) {
      return isLamp && times[key] > 0 ? t('edit.left', { time: clockText(times[key]) }) : null;
    }
    const time = clockText(shown[key]);
    if (key === 'minimum') return t('edit.clamp.bound', { time });
    if (!isLamp) return t('edit.clamp.longest', { time });
    if (times[key] === 0) return t('edit.clamp.none');
    return shown[key] < entered[key] ? t('edit.clamp.before', { time, other: timeName(this.node, 'start') })
      : t('edit.clamp.after', { time, other: timeName(this.node, 'warning') });
  }
}
