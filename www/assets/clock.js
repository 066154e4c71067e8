// The server's monotonic clock, as this page knows it. The wall clock of either side plays no part.
import { OtherClock } from './other-clock.js?v=';

/** How many times the clock is asked at first, and when the connection is new. */
const MEASURES = 5;
/** A page that loads is busy, and so may be the server: the measures are that far apart, and half as much by chance. */
const APART = 120;
const INTERVAL = 60_000;
/** A measure that takes longer says nothing, and would hold up those after it. */
const PATIENCE = 10_000;
/** A difference that clocks do not make by themselves. */
const JUMP = 100;
/** How late the first message may have been: until the clock is measured, this is better than no digits at all. */
const FIRST_MESSAGE_LATE = 2_000;

const clock = new OtherClock();
let timer = null;
/** The shortest way of a message since the clock was measured, and how many took longer one after another. */
let shortestWay = Infinity;
let late = 0;
const listeners = new Set();

/** The server's milliseconds now; null before the first answer. */
export function serverNow() {
  const now = performance.now();
  const known = clock.at(now);
  return known ? now + known.offset : null;
}

/** Calls a function when the clock becomes known, and when it has jumped. */
export function onClock(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes a measure, and says so where the clock became known by it or jumped. */
function change(measure, now) {
  const known = clock.at(now);
  measure();
  if (!known || Math.abs(clock.at(now).offset - known.offset) > 5) listeners.forEach((listener) => listener());
}

async function measure() {
  const asked = performance.now();
  const answer = await fetch('api/time', {
    cache: 'no-store', credentials: 'same-origin', signal: AbortSignal.timeout?.(PATIENCE),
  });
  const text = await answer.text();
  const answered = performance.now();
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  const told = JSON.parse(text);
  clock.note(told.boot);
  change(() => clock.answered(told.now, asked, answered), answered);
}

async function measureAll() {
  for (let count = 0; count < MEASURES; count += 1) {
    if (count > 0) await new Promise((resolve) => { setTimeout(resolve, APART * (1 + Math.random() / 2)); });
    try {
      await measure();
    } catch {
      return;
    }
  }
}

let running = null;

/** Measures the clock anew; several calls at once are one. */
function measureClock() {
  running ??= measureAll().finally(() => { running = null; });
  return running;
}

/**
 * The server said what its clock shows, on its way to us for an unknown time: never more than no time at all.
 *
 * That bounds the difference from one side, and shows a clock that has jumped, such as after a sleep of either machine.
 */
export function heardServerTime(now, toldBoot) {
  // Another server, or the first word of one.
  if (toldBoot !== undefined && clock.note(toldBoot)) {
    shortestWay = Infinity;
    measureClock();
  }
  const at = performance.now();
  const known = clock.at(at);
  const way = known ? at + known.offset - now : 0;
  if (!known || way < -known.error - JUMP) {
    change(() => {
      clock.forget();
      clock.add({ offset: now - at, half: FIRST_MESSAGE_LATE, at });
    }, at);
  }
  shortestWay = Math.min(shortestWay, way);
  late = way > shortestWay + JUMP ? late + 1 : 0;
  // One may have been held up; clocks that differ make each late, or early.
  if (way < -JUMP || late === 3) {
    shortestWay = Infinity;
    late = 0;
    measureClock();
  }
}

/** Begins to measure, and goes on for as long as the page is there. */
export function startClock() {
  if (timer !== null) return;
  measureClock();
  timer = setInterval(() => { if (!document.hidden) measureClock(); }, INTERVAL);
  document.addEventListener('visibilitychange', () => { if (!document.hidden) measureClock(); });
  for (const name of ['pageshow', 'online']) window.addEventListener(name, () => measureClock());
}
