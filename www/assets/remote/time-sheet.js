// The sheet that changes the time of a run: it began earlier, or it is given more time.
import { clockField } from '../fields.js?v=';
import { clockText, wallAt } from '../counting.js?v=';
import { serverNow } from '../clock.js?v=';
import { t } from '../texts.js?v=';
import { feel, h } from '../ui.js?v=';
import { isInProgress } from './controls.js?v=';
import { sheet } from './sheets.js?v=';

/** How much earlier a run began, and how much more time it is given, in seconds. */
const EARLIER = [10, 30, 60];
const MORE = [30, 60];
/** The last end is offered as a beginning for this long, in seconds. */
const RECENTLY = 600;

/** The seconds since the last run ended; null if that is unknown or long ago. */
function sinceLastEnd(node) {
  const ended = Date.parse(node?.state?.last?.ended_at ?? '');
  const since = (wallAt(node, serverNow()) - ended) / 1000;
  return since >= 0 && since <= RECENTLY ? since : null;
}

/**
 * The time of a run, in two halves. While nothing runs, only the first one: somebody is already speaking.
 *
 * The pressed buttons say what happens; the typed time is sent with its button.
 */
export function timeSheet(controls) {
  const { node } = controls;
  const runs = isInProgress(node);
  const from = document.getElementById('time');
  const send = (verb, payload) => {
    dialog.close();
    controls.send(verb, payload, from);
  };
  const earlier = (seconds) => {
    if (!runs) return send('start', { ago: seconds });
    const began = Date.parse(node.state.started_at) - seconds * 1000;
    return send('began', { at: new Date(began).toISOString() });
  };
  const choice = (text, action) => h('button', {
    type: 'button', onclick: (event) => {
      feel(event.currentTarget);
      action();
    },
  }, text);
  const half = (name, choices, action) => {
    let typed = 0;
    const field = clockField(t('remote.time.typed'), 0, { isRequired: true, onChange: (seconds) => { typed = seconds; } });
    const form = h('form', { class: 'line', novalidate: true, onsubmit: (event) => {
      event.preventDefault();
      if (field.input.validity.valid && typed > 0) action(typed);
      else field.input.focus();
    } }, field.element, h('button', { class: 'primary' }, t('remote.speaker.set')));
    return h('section', { id: `time-${name}` }, h('h3', {}, t(`remote.time.${name}`)),
      h('p', { class: 'muted' }, t(`remote.time.${name}.hint`)), h('div', { class: 'choices' }, choices), form);
  };
  const since = runs ? null : sinceLastEnd(node);
  const beginnings = [
    ...(since === null ? [] : [choice(t('remote.time.since', { time: clockText(Math.floor(since)) }),
      () => send('start', { since: 'last_end' }))]),
    ...EARLIER.map((seconds) => choice(`−${clockText(seconds)}`, () => earlier(seconds))),
  ];
  const grants = MORE.map((seconds) => choice(`+${clockText(seconds)}`, () => send('add', { seconds })));
  const dialog = sheet(t(runs ? 'remote.time' : 'remote.time.late'),
    half(runs ? 'began' : 'speaking', beginnings, earlier),
    runs && half('grant', grants, (seconds) => send('add', { seconds })));
}
