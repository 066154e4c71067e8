// How far another machine's clock is ahead of ours, as asking for its time tells. Pure; all times are ms.

/** Two clocks drift apart by one part of so many, at most. */
const DRIFT = 10_000;
const CAPACITY = 16;
/** How coarse clocks and the times in messages may be. */
const RESOLUTION = 1;

/** The measures that count, each with the difference, half of its way, and when it was made. */
export class OtherClock {
  #samples = [];

  /** The other machine's boot; null before the first word of one. */
  boot = null;

  /** How wrong a measure may be by now. */
  static #error = (sample, now) => sample.half + Math.max(0, now - sample.at) / DRIFT;

  #best(now) {
    return this.#samples.reduce((known, sample) => (
      known && OtherClock.#error(known, now) <= OtherClock.#error(sample, now) ? known : sample), null);
  }

  /** How far it is ahead, by the measure that may be least wrong, and how wrong that may be; null before the first one. */
  at(now) {
    const sample = this.#best(now);
    return sample && { offset: sample.offset, error: OtherClock.#error(sample, now) };
  }

  /** The other clock is of this boot; what was known of another one is worth nothing. Returns whether that is news. */
  note(boot) {
    if (boot === this.boot) return false;
    this.boot = boot;
    this.forget();
    return true;
  }

  forget() { this.#samples = []; }

  /** The other clock was asked at an instant, and the answer, `told`, came at another one. */
  answered(told, asked, answered) {
    const half = Math.max(0, answered - asked) / 2;
    this.add({ offset: told - (asked + half), half, at: answered });
  }

  /** Adds a measure. */
  add(sample) {
    const best = this.at(sample.at);
    // More than clocks do by themselves: one of them has jumped, or slept.
    if (best && Math.abs(sample.offset - best.offset) > best.error + sample.half + RESOLUTION) this.forget();
    // Of those that took no less time none is better at any time.
    this.#samples = this.#samples.filter(({ half }) => half < sample.half);
    this.#samples.push(sample);
    if (this.#samples.length > CAPACITY) this.#samples.shift();
  }
}
