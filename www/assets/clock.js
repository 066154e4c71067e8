// The server's monotonic clock, as measured by this page. Neither side's wall clock is used.
import { OtherClock } from './other-clock.js?v=';

/** The number of measurements at first and after each new connection. */
const MEASURES = 5;
/**
 * The delay between measurements, plus a random part of up to half as much: a loading page is busy, and so may be the
 * server.
 */
const APART = 120;
const INTERVAL = 60_000;
/** A measurement that takes longer is useless, and would delay the following ones. */
const PATIENCE = 10_000;
/** A difference larger than clocks can drift. */
const JUMP = 100;
/**
 * How late the first message may have been: until the clock has been measured, this is better than showing no digits at
 * all.
 */
const FIRST_MESSAGE_LATE = 2_000;

const clock = new OtherClock();
let timer = null;
/** The shortest delay of a message since the clock was measured, and how many messages in a row took longer. */
let shortestWay = Infinity;
let late = 0;
const listeners = new Set();

/** The server's milliseconds now; null before the first response. */
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

/** Adds a measurement, and notifies the listeners if it made the clock known or the clock has jumped. */
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

/** Measures the clock again; concurrent calls share one measurement. */
function measureClock() {
  running ??= measureAll().finally(() => { running = null; });
  return running;
}

/**
 * Processes the server's clock reading in a message, which took an unknown time to arrive, but never a negative one.
 *
 * That bounds the difference from one side, and reveals a clock that has jumped, for example after either machine has
 * slept.
 */
export function heardServerTime(now, toldBoot) {
  // The message comes from a different server, or is the first one.
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
  // A single message may have been delayed. If the clocks differ, every message is late, or early.
  if (way < -JUMP || late === 3) {
    shortestWay = Infinity;
    late = 0;
    measureClock();
  }
}

/** Starts measuring, and continues while the page is open. */
export function startClock() {
  if (timer !== null) return;
  measureClock();
  timer = setInterval(() => { if (!document.hidden) measureClock(); }, INTERVAL);
  document.addEventListener('visibilitychange', () => { if (!document.hidden) measureClock(); });
  for (const name of ['pageshow', 'online']) window.addEventListener(name, () => measureClock());
}
