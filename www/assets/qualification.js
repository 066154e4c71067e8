// Whether a run qualifies, by the node's rules. Pure functions.

/**
 * The verdict on a run that ended now: none (without bounds), short, early, good, late or over. Early and late are
 * outside the bounds but within the grace, so such a run also qualifies. Whole seconds count, rounded down.
 */
export function verdict(used, { minimum, maximum, grace = 0 }) {
  if (used === null || (!minimum && !maximum)) return { kind: 'none', difference: 0 };
  const whole = Math.floor(used);
  if (minimum && whole < minimum) {
    return { kind: whole < minimum - grace ? 'short' : 'early', difference: minimum - whole };
  }
  if (maximum && whole > maximum) {
    return { kind: whole > maximum + grace ? 'over' : 'late', difference: whole - maximum };
  }
  return { kind: 'good', difference: 0 };
}
