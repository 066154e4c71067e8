// Buttons that must be held, so that a slip of the finger does not end a talk.
import { t } from './texts.js?v=';
import { confirmDialog, feel, h, toast } from './ui.js?v=';

const buttons = new WeakMap();
/** The buttons with their conditions, whose labels say whether they must be held. */
const conditions = new Map();
/** How long after a hold a click without a press belongs to it, in ms: another button may be under the finger now. */
const ECHO = 800;
/** When the last hold was released; Infinity while its finger or key is still down. */
let heldUntil = -Infinity;
for (const name of ['pointerup', 'pointercancel', 'keyup', 'blur']) {
  window.addEventListener(name, () => { if (heldUntil === Infinity) heldUntil = performance.now(); }, { capture: true });
}
/** How far a finger may slip outside its button, in pixels. */
const SLIP = 20;

/**
 * A button whose action requires holding it for a second if `isNeeded` says so; otherwise a press is enough. On the
 * keyboard, Enter or Space is held in the same way. Users who cannot hold, for example with a screen reader whose
 * presses have no duration, are asked instead.
 *
 * @param {(text: string) => void} tell shows that the press was too short.
 */
export function holdButton(button, isNeeded, action, duration = 1000, tell = toast) {
  let timer = null;
  /** The press that the next click ends: none, free, short, done, or gone if the finger has left the button. */
  let press = 'none';
  const end = () => {
    clearTimeout(timer);
    timer = null;
    button.classList.remove('holding');
  };
  const begin = () => {
    if (button.disabled || timer !== null) return;
    feel(button);
    press = isNeeded() ? 'short' : 'free';
    if (press === 'free') return;
    button.style.setProperty('--hold', `${duration}ms`);
    button.classList.add('holding');
    timer = setTimeout(() => {
      end();
      press = 'done';
      feel(button);
      heldUntil = Infinity;
      action();
    }, duration);
  };
  const release = async () => {
    const was = press;
    press = 'none';
    end();
    if (was === 'short') tell(t('common.hold'));
    else if (was === 'free') action();
    else if (was === 'none' && performance.now() > heldUntil + ECHO) {
      const label = button.getAttribute('aria-label') ?? button.querySelector('span:not(.hold)').textContent.trim();
      if (!isNeeded() || await confirmDialog(t('common.confirm', { action: label }))) action();
    }
  };
  button.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    begin();
    // A finger that moves a little stays on its button.
    button.setPointerCapture?.(event.pointerId);
  });
  for (const name of ['pointerup', 'pointercancel', 'blur']) button.addEventListener(name, end);
  button.addEventListener('pointercancel', () => { press = 'none'; });
  button.addEventListener('pointermove', (event) => {
    if (!['short', 'free'].includes(press)) return;
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const isNear = event.clientX > left - SLIP && event.clientX < right + SLIP
      && event.clientY > top - SLIP && event.clientY < bottom + SLIP;
    if (isNear) return;
    end();
    press = 'gone';
  });
  button.addEventListener('keydown', (event) => {
    if (!['Enter', ' '].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) begin();
  });
  button.addEventListener('keyup', (event) => {
    if (!['Enter', ' '].includes(event.key)) return;
    event.preventDefault();
    if (press !== 'none') release();
  });
  button.addEventListener('contextmenu', (event) => event.preventDefault());
  button.addEventListener('click', release);
  button.append(h('span', { class: 'hold' }, t('common.hold_label')));
  conditions.set(button, isNeeded);
  buttons.set(button, {
    begin,
    release: () => { if (press !== 'none') release(); },
    cancel: () => {
      press = 'none';
      end();
    },
  });
  return button;
}

/** A key that stands for a button was pressed: acts as if a finger were on the button. */
export const beginHold = (button) => buttons.get(button)?.begin();
/** The key was released. */
export const endHold = (button) => buttons.get(button)?.release();
/** It is unknown whether the key is still down, so nothing is done. */
export const cancelHold = (button) => buttons.get(button)?.cancel();
/** Updates the labels: each says whether its button must be held now. */
export function showHolds() {
  for (const [button, isNeeded] of conditions) button.classList.toggle('needs-hold', isNeeded());
}
