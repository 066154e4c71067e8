// Gestures on the clock: tap, double tap, swipes. Off unless the settings say otherwise.
import { settings } from '../settings.js?v=';
import { swipeOf } from '../swipe.js?v=';
import { confirmDialog, feel } from '../ui.js?v=';
import { t } from '../texts.js?v=';

/** How long a tap waits for a second one, in ms. */
const DOUBLE = 250;
/** A finger that moves less than this has tapped. */
const TAP = 12;

/**
 * @param {Element} area where gestures are recognised.
 * @param actions tap, doubleTap, right and left; `isGuarded(name)` returns whether the gesture would end a run, so that
 *   the user is asked first.
 */
export function listenToGestures(area, actions) {
  let start = null;
  let waiting = null;

  const act = async (name) => {
    feel(area);
    if (actions.isGuarded(name) && !await confirmDialog(t(`remote.gesture.${name}`))) return;
    actions[name]();
  };
  const tap = () => {
    if (waiting === null) {
      feel(area);
      waiting = setTimeout(() => {
        waiting = null;
        act('tap');
      }, DOUBLE);
      return;
    }
    clearTimeout(waiting);
    waiting = null;
    act('doubleTap');
  };

  area.addEventListener('pointerdown', (event) => {
    if (!settings.get('gestures') || !event.isPrimary || event.button !== 0) return;
    start = { x: event.clientX, y: event.clientY };
    area.setPointerCapture?.(event.pointerId);
  });
  area.addEventListener('pointercancel', () => { start = null; });
  area.addEventListener('pointerup', (event) => {
    if (!start || !event.isPrimary) return;
    const [from, to] = [start, { x: event.clientX, y: event.clientY }];
    start = null;
    const swipe = swipeOf(from, to);
    if (swipe) act(swipe);
    else if (Math.hypot(to.x - from.x, to.y - from.y) < TAP) tap();
  });
  const show = () => area.classList.toggle('gestures', settings.get('gestures'));
  settings.addEventListener('change', show);
  show();
}
