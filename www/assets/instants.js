// Doing something at an instant of the server's clock, and nothing before it.
import { serverNow } from './clock.js?v=';

/** A browser may run a long timer late: it is set again so long before the instant. */
const CLOSE = 40;
const LONGEST = 2 ** 31 - 1;

/** Calls a function at one instant; setting another instant forgets the one before. */
export class Instant {
  #timer = null;
  #action;

  constructor(action) { this.#action = action; }

  /** @param {number} instant in the server's ms; Infinity for never. */
  set(instant) {
    clearTimeout(this.#timer);
    this.#timer = null;
    const now = serverNow();
    if (now === null || instant === Infinity) return;
    const left = instant - now;
    if (left <= 0) {
      this.#timer = setTimeout(this.#action, 0);
      return;
    }
    // What is shown at the instant must not be computed before it: timers may be early by a fraction of a ms.
    const wait = left > 2 * CLOSE ? left - CLOSE : Math.ceil(left);
    this.#timer = setTimeout(() => {
      if (serverNow() >= instant) this.#action();
      else this.set(instant);
    }, Math.min(wait, LONGEST));
  }
}
