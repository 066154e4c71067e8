// Whether two values that came as JSON are the same. Pure.

/** The fields have to be in the same order, as they are in what a node tells. */
export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
