// How long a run has taken so far, and what that means for its speaker. Pure.
import { isCounting } from './counting.js?v=';

/** A smaller difference is rounding, not time that somebody gave or took. */
const ROUNDING = 0.3;

/** What is left at an instant in the server's ms; below 0 by what is over. */
function left(node, now) {
  const { state, counting } = node;
  const zero = counting?.zero ?? null;
  if (isCounting(state.mode) && zero !== null && now !== null) return (zero - now) / 1000;
  return state.overtime ? -state.overtime : state.precise_remaining;
}

/**
 * The time used: without pauses and with overtime, as the report will have it.
 *
 * The node tells what is left. Time that was added or taken meanwhile makes a difference between the two, which is
 * known for as long as one watches.
 */
export class UsedTime {
  #run = null;
  #before = null;
  #given = 0;

  /** Takes note of a new state. @param {boolean} isWatched whether nothing happened unseen since the one before. */
  update(node, isWatched) {
    const { state, counting } = node;
    const run = state?.started_at ?? null;
    if (run === null) {
      this.#run = this.#before = null;
      this.#given = 0;
      return;
    }
    const made = counting?.made ?? null;
    if (run !== this.#run) {
      [this.#run, this.#given] = [run, 0];
    } else if (isWatched && this.#before && made !== null) {
      const difference = left(node, made) - left(this.#before, made);
      if (Math.abs(difference) > ROUNDING) this.#given += difference;
    }
    this.#before = { state, counting };
  }

  /** The seconds that were given meanwhile, below 0 if they were taken. */
  get given() { return this.#given; }

  /** The seconds used; null while there is no run. */
  at(now) {
    if (!this.#before || now === null) return null;
    return Math.max(0, this.#before.state.start - left(this.#before, now) + this.#given);
  }
}

/**
 * What would be said of a run that ended now: none (nothing is asked), short, good or over.
 *
 * Whole seconds count, rounded down. The grace of the node is not known here: it may still call a run good that is
 * short or over by less.
 */
export function verdict(used, { minimum, maximum }) {
  if (used === null || (!minimum && !maximum)) return { kind: 'none', difference: 0 };
  const whole = Math.floor(used);
  if (minimum && whole < minimum) return { kind: 'short', difference: minimum - whole };
  if (maximum && whole > maximum) return { kind: 'over', difference: whole - maximum };
  return { kind: 'good', difference: 0 };
}
