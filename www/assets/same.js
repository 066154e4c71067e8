// Compares two JSON values. A pure function.

/** The fields must be in the same order, as they are in a node's messages. */
export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
