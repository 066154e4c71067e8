// Updates a display: it counts on its own, and wakes up only when its content changes.
import { Announcer } from '../announcer.js?v=';
import { onClock, serverNow } from '../clock.js?v=';
import { count } from '../counting.js?v=';
import { Instant } from '../instants.js?v=';
import { settings } from '../settings.js?v=';
import { loadLanguage, setText, t, translate } from '../texts.js?v=';
import { displayName, keepDisplayName } from './name.js?v=';
import { nodeOf } from './one-timer.js?v=';
import { merged, parameters } from './parameters.js?v=';
import { picture } from './picture.js?v=';
import { View } from './view.js?v=';

const calm = matchMedia('(prefers-reduced-motion: reduce)');

const view = new View();
const announcer = new Announcer(document.getElementById('announcement'));
const next = new Instant(render);
let live, id, address;
let options = null;
let dressed = null;
/** The language requested by the address or its view. */
let spoken = null;
/** Everything that the first digits do not need is loaded after them. */
let controls = null;
let sound = null;

/**
 * The display follows the selected group, or the group of the timer in its address, unless the address sets a display.
 */
function dress() {
  const query = merged(address, live.site?.views);
  const node = nodeOf(live.nodes.get(id), query.get('timer'), serverNow());
  const found = parameters(query, node?.state?.group?.display);
  found.isSteady ||= calm.matches;
  const text = JSON.stringify(found, (key, value) => (value instanceof Set ? [...value] : value));
  if (text === dressed) return;
  dressed = text;
  options = found;
  settings.use('theme', options.theme === 'auto' ? null : options.theme);
  view.dress(options);
  view.fitMessage();
  if (options.language !== spoken) speak(options.language);
}

/** Switches to another language, whose strings may have to be fetched first; null for the language in the settings. */
async function speak(wish) {
  spoken = wish;
  settings.use('language', wish);
  await loadLanguage();
  translate();
  // The buttons keep the words that they were created with.
  if (controls) controls.hasButtons = false;
  render();
}

function render() {
  dress();
  const now = serverNow();
  const shown = picture(live, id, options, now);
  view.update(shown);
  if (controls) controls.hasButtons = options.hasControls;
  const node = nodeOf(live.nodes.get(id), options.timer, now);
  sound?.follow(node, count(node, now));
  announcer.speaks = options.speaks;
  if (shown.state === 'shown') announcer.update(shown);
  setText(document.getElementById('title'), t('display.title', { name: shown.name ?? id }));
  if (document.title !== `${shown.name ?? id}`) document.title = `${shown.name ?? id}`;
  document.getElementById('tap').hidden = !sound?.isWaiting;
  next.set(shown.nextChange);
}

/** Adds the keys, buttons and sound. */
async function addControls() {
  const [{ Controls }, { Sound }] = await Promise.all([import('./controls.js?v='), import('./sound.js?v=')]);
  sound = new Sound(() => render());
  controls = new Controls(id, () => sound.arm()).start();
  live.addEventListener('display', ({ detail }) => {
    if (detail.name !== undefined) keepDisplayName(live, detail.name);
    if (detail.identify) controls.identify(displayName() ?? t(`display.kind.${options.kind}`));
    if (detail.blackout !== undefined) controls.setBlack(detail.blackout);
  });
  live.addEventListener('event', ({ detail }) => {
    if (detail.id === id && detail.event.event_type === 'transition' && !options.timer) {
      sound.transition(live.nodes.get(id));
    }
  });
  sound.arm();
  render();
}

/**
 * Starts showing a node.
 *
 * @param {Live} stream the stream that reports the node.
 * @param {string} node its id.
 * @param {string} query the parameters in the address.
 */
export async function show(stream, node, query) {
  [live, id, address] = [stream, node, query];
  await speak(new URLSearchParams(query).get('language'));
  live.addEventListener('change', render);
  live.addEventListener('status', render);
  onClock(render);
  calm.addEventListener('change', render);
  settings.addEventListener('change', render);
  document.addEventListener('visibilitychange', () => { if (!document.hidden) render(); });
  // The stage also changes its size when the buttons appear.
  new ResizeObserver(() => view.fitMessage()).observe(document.getElementById('stage'));
  // The font may arrive after the first digits.
  document.fonts?.addEventListener('loadingdone', () => {
    view.measure();
    render();
  });
  // The stream may have reported the node before the listener was added.
  render();
  // From now on, an error does not mean that the browser is too old.
  document.documentElement.dataset.started = '';
  // If the server goes away meanwhile, the files are requested again once it is back.
  const add = () => addControls().catch(() => live.addEventListener('status', add, { once: true }));
  add();
}
