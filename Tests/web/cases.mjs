// cases.mjs ASSETS: runs the pages' pure modules on the table of `page-cases` from standard input, and prints each case
// in which a page would show something other than the node. It needs no browser.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { runInNewContext } from 'node:vm';

const assets = pathToFileURL(`${process.argv[2]}/`);
const load = (path) => import(new URL(path, assets));
const [{ count }, { clampTimer }, { OtherClock }, { verdict }, { isNear }, { meetingLeft }, { USUAL_WORDS }, { default: en }] =
  await Promise.all(['counting.js', 'edit/clamps.js', 'other-clock.js', 'qualification.js', 'agenda/meetings.js', 'meeting.js',
    'lamps.js', 'texts/en.js'].map(load));
const { plain } = runInNewContext(`${readFileSync(new URL('plain.js', assets))}; this`);
const cases = JSON.parse(readFileSync(0, 'utf8'));
let [checks, failures] = [0, 0];

/** Compares the result of a module with that of the real part; numbers within a tolerance. */
function expect(found, wanted, what, tolerance = 0) {
  checks += 1;
  const isSame = typeof wanted === 'number' && typeof found === 'number'
    ? Math.abs(found - wanted) <= tolerance : isDeepStrictEqual(found, wanted);
  if (isSame) return;
  failures += 1;
  if (failures <= 20) console.log(`found ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}: ${what()}`);
}

const LAMPS = ['red', 'yellow', 'green'];

/** The visible part of a count. */
const seen = ({ mode, word, tone, text, overtimeText, timer, next, lamps }, elapsedText = null) => (
  { mode, word, tone, text, overtimeText, timer, next, lamps, elapsedText });

/** The part of a count that the plain display has too, as plain values of this context. */
const plainly = ({ mode, word, text, overtimeText, timer, lamps, estimate, nextChange }) => (
  { mode, word, text: overtimeText ?? text, timer: timer.path, name: timer.name, estimate,
    lamps: Object.fromEntries(LAMPS.map((name) => [name, lamps[name] ?? { state: 'off', lit: false }])), nextChange });
const plainCount = (...values) => {
  const { isEstimate, ...found } = plain.count(...values);
  return plainly(JSON.parse(JSON.stringify({ ...found, estimate: isEstimate, nextChange: String(found.nextChange) })));
};

for (const { steps, node, instants, usual } of cases.counting) {
  let [before, beforeUp] = [null, null];
  for (const { now, held, state, levels, parts } of instants) {
    const shown = count(node, now, { isReached: false });
    const shownUp = count(node, now, { isReached: false, countsUp: true });
    const what = (part) => () => `${part} ${now - instants[0].now} ms after ${steps}, ${JSON.stringify(node.state)}`;
    expect(shown.shown, held ? 0 : state.remaining, what('remaining'));
    if (held) {
      expect(['countdown', 'warning', 'final'].includes(shown.mode) || shown.mode === state.mode, true, what('held mode'));
    } else {
      expect(shown.mode, state.mode, what('mode'));
      expect(shown.word, node.signals[state.mode].word, what('word'));
      expect(shown.used, state.run?.used ?? null, what('used'), 0.002);
      expect(shown.overtime, state.overtime, what('overtime'), 0.002);
      expect(shown.progress, state.progress, what('progress'), 0.002);
      expect(shown.timer, state.timer, what('timer'));
      expect(shown.next, state.next, what('next'));
      expect([shown.parts.warning.length, shown.parts.final.length], parts, what('parts'));
      const { minimum = null, maximum = null, grace = 0 } = state.run ?? {};
      expect(shown.bounds, state.run && { minimum, maximum, grace }, what('bounds'));
      for (const name of LAMPS) expect(shown.lamps[name]?.lit ?? false, levels[name], what(name));
      if (now * 1000 >= state.clock.since + 300_000) {
        const { lamps } = count(node, now);
        for (const name of LAMPS) expect(lamps[name]?.lit ?? false, levels[name], what(`${name} of a node that is there`));
      }
      // If the outputs are not known, a page goes by the signals.
      const { lamps } = usual ? count({ ...node, patterns: null, state: { ...node.state, outputs: {} } }, now) : shown;
      for (const name of LAMPS) expect(lamps[name]?.lit ?? false, levels[name], what(`${name} by the signals`));
    }
    for (const isReached of [true, false]) {
      for (const isSteady of [true, false]) {
        const wanted = plainly(count(node, now, { isReached, isSteady }));
        // An output besides the lamps may change earlier.
        if (!usual) wanted.nextChange = plain.count(node, now, isReached, isSteady).nextChange;
        expect(plainCount(node, now, isReached, isSteady), { ...wanted, nextChange: String(wanted.nextChange) },
          what('the plain display'));
      }
    }
    // Nothing changes before the announced instant.
    if (before && now < before.nextChange) expect(seen(shown), seen(before), what('what changes early'));
    if (beforeUp && now < beforeUp.nextChange) {
      expect(seen(shownUp, shownUp.elapsedText), seen(beforeUp, beforeUp.elapsedText), what('what changes early'));
    }
    [before, beforeUp] = [shown, shownUp];
  }
}

for (const { wished, timer } of cases.clamps) {
  expect(clampTimer(wished), timer, () => `clamped ${JSON.stringify(wished)}`);
}

for (const answers of cases.clocks) {
  const clock = new OtherClock();
  let [plainBoot, plainClock] = [null, null];
  for (const [place, { boot, asked, answered, told, later, offset, error }] of answers.entries()) {
    clock.note(boot);
    clock.answered(told, asked, answered);
    const what = (part) => () => `${part} after ${JSON.stringify(answers.slice(0, place + 1))}`;
    expect(clock.at(later).offset, offset, what('offset'), 0.01);
    expect(clock.at(later).error, error, what('error'), 0.01);
    if (boot !== plainBoot) [plainBoot, plainClock] = [boot, new plain.Clock()];
    plainClock.add(told, asked, answered);
    expect(plainClock.offset(later), offset, what('the plain offset'), 0.01);
  }
}

for (const { used, minimum, maximum, grace, qualified, within } of cases.verdicts) {
  const { kind } = verdict(used, { minimum, maximum, grace });
  const what = () => `${used} s of ${minimum} to ${maximum}, grace ${grace}: ${kind}`;
  expect({ none: null, short: false, over: false }[kind] ?? (kind === 'none' ? null : true), qualified, what);
  expect({ none: null, good: true }[kind] ?? (kind === 'none' ? null : false), within, what);
}

for (const { before, node, near, left } of cases.meetings) {
  expect(isNear(before * 1000, 0), near, () => `a meeting that begins in ${before} s is the planned one`);
  expect(meetingLeft(node), left, () => `left of ${JSON.stringify([node.state.meeting, node.timers])}`);
}

const words = Object.fromEntries(Object.entries(cases.signals).map(([mode, { word }]) => [mode, word]));
expect(USUAL_WORDS, words, () => 'the usual words');
for (const word of Object.values(words)) expect(en[`word.${word}`], word, () => 'the text for a usual word');

console.log(`${checks} comparisons, ${failures} failed`);
process.exit(failures > 0 || checks < 10_000 ? 1 : 0);
