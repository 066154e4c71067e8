// What a finger did between two points. Pure functions.

/** The minimum length of a swipe, in pixels, and the minimum ratio of its width to its height. */
const DISTANCE = 60;
const SLOPE = 2;

/** The direction of a swipe, left or right; null if it was none. @param start as its end, with x and y */
export function swipeOf(start, end) {
  const [x, y] = [end.x - start.x, end.y - start.y];
  if (Math.abs(x) < DISTANCE || Math.abs(x) <= SLOPE * Math.abs(y)) return null;
  return x > 0 ? 'right' : 'left';
}
