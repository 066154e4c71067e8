// The remote of a node: everything for an evening on one screen of a phone.
import { Announcer } from '../announcer.js?v=';
import { keepAwake } from '../awake.js?v=';
import { connect } from '../live.js?v=';
import { clockText } from '../counting.js?v=';
import { showNavigation } from '../header.js?v=';
import { placeIcons } from '../icons.js?v=';
import { isAtLeast, logIn, loginAddress, nodeID, requireRole } from '../place.js?v=';
import { settings } from '../settings.js?v=';
import { setText, t, translate, wordText } from '../texts.js?v=';
import { feel, h } from '../ui.js?v=';
import { onClock } from '../clock.js?v=';
import { Controls, isInProgress } from './controls.js?v=';
import { listenToGestures } from './gestures.js?v=';
import { listenToKeys } from './keys.js?v=';
import { Order } from './order.js?v=';
import { Panel } from './panel.js?v=';
import { messageSheet } from './message-sheet.js?v=';
import { resultSheet, speakerSheet } from './sheets.js?v=';
import { timeSheet } from './time-sheet.js?v=';

const element = (id) => document.getElementById(id);
const id = nodeID();

translate();
placeIcons();
document.title = t('remote.title', { node: id });
const showHand = () => document.body.classList.toggle('left-handed', settings.get('leftHanded'));
settings.addEventListener('change', showHand);
showHand();

const live = connect({ node: id, view: 'remote' });
const panel = new Panel(live, id);
const controls = new Controls(id, panel);
const order = new Order(controls);
const announcer = new Announcer(element('announcement'));
announcer.speaks = new URLSearchParams(location.search).get('speak') === 'on';

/** The label of a timer in the list: its name, and its bounds or what is left of its time. */
function cardText(timer, path) {
  const { minimum, maximum, start, left = start } = timer;
  const time = minimum && maximum ? `${clockText(minimum)}–${clockText(maximum)}` : clockText(left);
  return `${timer.name || path} · ${time}`;
}

panel.cardGroup = (group, index) => h('optgroup', { label: group.name || String(index + 1) },
  group.timers.map((timer, place) => {
    const path = `${index + 1}/${place + 1}`;
    return h('option', { value: path }, cardText(timer, path));
  }));
panel.preview = (seconds) => {
  const text = clockText(seconds);
  panel.showDigits(text);
  setText(element('slider-time'), text);
  return text;
};
panel.onDraw = (node, shown) => {
  announcer.update({
    mode: shown.mode, word: wordText(shown.word), shown: shown.shown, message: node.message?.text ?? null,
  });
  const slider = element('slider');
  slider.disabled = !(node.state.start > 1);
  if (controls.isSliding()) {
    panel.preview(Number(slider.value));
    return;
  }
  slider.max = Math.max(1, node.state.start);
  slider.value = shown.shown;
  setText(element('slider-time'), shown.text);
  slider.setAttribute('aria-valuetext', shown.text);
};

/** The node's other pages, and the links of the header. */
function links() {
  const at = `n/${encodeURIComponent(id)}`;
  const pages = [['programme', `${at}/programme`], ['report', `${at}/report`], ['edit', `${at}/edit`, 'operator']];
  element('links').replaceChildren(
    ...pages.filter(([, , role = 'viewer']) => isAtLeast(live.role, role))
      .map(([name, href]) => h('a', { class: 'button', href }, t(`remote.to.${name}`))),
    ...(isAtLeast(live.role, 'operator') ? []
      : [h('a', { class: 'button', href: loginAddress('operator') }, t('remote.to.operator'))]));
  element('report').href = `${at}/report`;
  element('stage').href = at;
  // It is one more display, which nobody has to know of. It loads where there is room for it.
  element('stage').firstElementChild.src ||= `${at}?preview=on&controls=off`;
  showNavigation(live, 'remote');
}

async function toLogin() {
  // Asks the server, because an interrupted stream cannot be relied on.
  await requireRole('remote');
}

let lastMode = null;

function update() {
  panel.update();
  controls.cards();
  order.draw();
  const mode = panel.node?.state?.mode ?? null;
  if (lastMode && mode !== lastMode && isInProgress(panel.node) && settings.get('vibration')) navigator.vibrate?.(200);
  lastMode = mode;
  // The person running an evening looks at the phone more often than they touch it.
  keepAwake(isInProgress(panel.node));
}

live.addEventListener('change', ({ detail }) => {
  const isSnapshot = detail.keys.includes('snapshot');
  if (isSnapshot && !isAtLeast(live.role, 'remote')) toLogin();
  if (isSnapshot) links();
  update();
});
live.addEventListener('status', () => {
  update();
  // A session that ended while the page was hidden ends the stream without an event.
  if (live.status === 'reconnecting' && !document.hidden) toLogin();
});
live.addEventListener('session', () => logIn('remote'));
onClock(() => panel.draw());
document.fonts?.addEventListener('loadingdone', () => panel.measure());
settings.addEventListener('change', () => panel.draw());

for (const [name, open] of Object.entries({
  speaker: () => speakerSheet(controls),
  message: (event) => messageSheet(controls, live, event.detail === 0),
  time: () => timeSheet(controls),
  result: () => resultSheet(controls, live, panel.node.runs.runs[0]),
  more: () => {
    const isOpen = element('rest').classList.toggle('is-open');
    element('more').setAttribute('aria-expanded', String(isOpen));
  },
})) {
  element(name).addEventListener('pointerdown', () => feel(element(name)));
  element(name).addEventListener('click', open);
}
listenToKeys(controls);
listenToGestures(element('clock'), {
  isGuarded: (name) => isInProgress(panel.node) && (name !== 'tap' || controls.shownMode === 'alarm'),
  tap: () => controls.play(),
  doubleTap: () => controls.send('fast_forward', {}, element('forward')),
  right: () => controls.send('rewind', {}, element('rewind')),
  left: () => controls.send('next', {}, element('next')),
});
toLogin();
