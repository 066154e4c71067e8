// Runs an action at an instant of the server's clock, and never earlier.
import { serverNow } from './clock.js?v=';

/** A browser may run a long timer late, so it is set again this long before the instant. */
const CLOSE = 40;
const LONGEST = 2 ** 31 - 1;

/** Calls a function at one instant; setting another instant replaces the previous one. */
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
    // What is shown at the instant must not be computed before it, and timers may fire a fraction of a ms early.
    const wait = left > 2 * CLOSE ? left - CLOSE : Math.ceil(left);
    this.#timer = setTimeout(() => {
      if (serverNow() >= instant) this.#action();
      else this.set(instant);
    }, Math.min(wait, LONGEST));
  }
}
