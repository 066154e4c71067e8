// How far another machine's clock is ahead of ours, measured by requesting its time. Pure code; all times are ms.

/** Two clocks drift apart by at most one part in this many. */
const DRIFT = 10_000;
const CAPACITY = 16;
/** The resolution of clocks and of the times in messages. */
const RESOLUTION = 1;

/** The useful measurements, each with the difference, half of its round trip, and when it was made. */
export class OtherClock {
  #samples = [];

  /** The other machine's boot; null before its first message. */
  boot = null;

  /** The maximum error of a measurement, as of now. */
  static #error = (sample, now) => sample.half + Math.max(0, now - sample.at) / DRIFT;

  #best(now) {
    return this.#samples.reduce((known, sample) => (
      known && OtherClock.#error(known, now) <= OtherClock.#error(sample, now) ? known : sample), null);
  }

  /**
   * How far it is ahead, by the measurement with the smallest possible error, and that error; null before the first
   * one.
   */
  at(now) {
    const sample = this.#best(now);
    return sample && { offset: sample.offset, error: OtherClock.#error(sample, now) };
  }

  /**
   * Records the boot of the other clock; measurements from another boot are discarded. Returns whether the boot is new.
   */
  note(boot) {
    if (boot === this.boot) return false;
    this.boot = boot;
    this.forget();
    return true;
  }

  forget() { this.#samples = []; }

  /** Adds the measurement of a request that was sent at one instant, and whose response, `told`, arrived at another. */
  answered(told, asked, answered) {
    const half = Math.max(0, answered - asked) / 2;
    this.add({ offset: told - (asked + half), half, at: answered });
  }

  /** Adds a measurement. */
  add(sample) {
    const best = this.at(sample.at);
    // The difference is more than clocks drift: one of them has jumped, or slept.
    if (best && Math.abs(sample.offset - best.offset) > best.error + sample.half + RESOLUTION) this.forget();
    // Older measurements that took at least as long can never be better.
    this.#samples = this.#samples.filter(({ half }) => half < sample.half);
    this.#samples.push(sample);
    if (this.#samples.length > CAPACITY) this.#samples.shift();
  }
}
