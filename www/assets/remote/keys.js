// The keyboard of the remote, with the keys of `timer-node watch`. Buttons that must be held are held with their keys
// as well.
import { beginHold, cancelHold, endHold } from '../hold.js?v=';
import { t } from '../texts.js?v=';
import { h } from '../ui.js?v=';

const element = (id) => document.getElementById(id);

const holds = { ' ': 'play', s: 'stop', r: 'rewind', f: 'forward', n: 'next', p: 'previous' };
/** The seconds that a key adds. */
const adds = { '+': 60, '=': 60, '-': -60, _: -60 };
const presses = { m: 'message', l: 'lock', x: 'silence' };
const help = ['space', 's', 'x', 'r', 'f', 'n', 'p', 'plus', 'minus', 'm', 'l', 'q'];
/** The id of the button that a key presses: in a debate, the next timer is the other side, and nothing is held. */
const pressedBy = (key) => (key === 'n' && element('next').hidden ? 'switch' : presses[key]);
/** A button that is hidden from some roles cannot be pressed with its key either. */
const isFor = (key) => !pressedBy(key) || !element(pressedBy(key)).hidden;
const signs = { space: '␣', plus: '+', minus: '−' };

function buttonOf(key) {
  // During the alarm the large button is the one that stops.
  if (key === 's' && document.body.dataset.mode === 'alarm') return element('play');
  return key in holds && !pressedBy(key) ? element(holds[key]) : null;
}

/** Whether a key press belongs to something else: a field, a dialog, or the button that has the focus. */
function isTaken(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  if (document.querySelector('dialog[open]')) return true;
  const { target } = event;
  if (target.matches?.('input:not([type=range]), textarea, select')) return true;
  return event.key === ' ' && target.matches?.('button, a');
}

function showHelp() {
  const dialog = h('dialog', { class: 'dialog', 'aria-label': t('remote.keys') },
    h('h2', {}, t('remote.keys')),
    h('dl', { class: 'keys' }, help.filter(isFor).map((key) => h('div', {},
      h('dt', {}, h('kbd', {}, signs[key] ?? key)), h('dd', {}, t(`remote.key.${key}`))))),
    h('form', { method: 'dialog', class: 'buttons' }, h('button', { class: 'primary' }, t('common.close'))));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Listens to the keyboard. */
export function listenToKeys(controls) {
  /** The buttons whose keys are down, by the code of the key, because its name changes if Shift is released first. */
  const down = new Map();
  document.addEventListener('keydown', (event) => {
    if (isTaken(event)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const button = buttonOf(key);
    if (button) {
      event.preventDefault();
      if (event.repeat) return;
      down.set(event.code, button);
      beginHold(button);
    } else if (pressedBy(key) && isFor(key) && !event.repeat) {
      // Otherwise the letter would become the first one of the message.
      event.preventDefault();
      element(pressedBy(key)).dispatchEvent(new Event('pointerdown'));
      element(pressedBy(key)).click();
    } else if (key in adds && !event.repeat) {
      controls.add(adds[key]);
    } else if (key === '?') {
      showHelp();
    } else if (key === 'q') {
      location.assign('./');
    }
  });
  document.addEventListener('keyup', (event) => {
    const button = down.get(event.code);
    down.delete(event.code);
    if (button) endHold(button);
  });
  // If the window loses the focus with a key down, the release is not reported here.
  window.addEventListener('blur', () => {
    for (const button of down.values()) cancelHold(button);
    down.clear();
  });
  // A button that was pressed with a finger or a mouse must not take the space bar from play and pause.
  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('main button');
    if (button && event.detail > 0) button.blur();
  });
}
