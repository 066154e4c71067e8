// The display of a node: it counts by itself, and wakes only when what it shows changes.
import { onClock, serverNow } from '../clock.js?v=';
import { count } from '../counting.js?v=';
import { Instant } from '../instants.js?v=';
import { connect } from '../live.js?v=';
import { settings } from '../settings.js?v=';
import { t, translate } from '../texts.js?v=';
import { setText } from '../ui.js?v=';
import { Controls } from './controls.js?v=';
import { merged, parameters } from './parameters.js?v=';
import { picture } from './picture.js?v=';
import { Sound } from './sound.js?v=';
import { View } from './view.js?v=';

const address = location.search.slice(1);
const path = location.href.slice(document.baseURI.length).split(/[?#]/)[0];
const id = decodeURIComponent(path.split('/')[1] ?? '');
const calm = matchMedia('(prefers-reduced-motion: reduce)');

const asked = new URLSearchParams(address);
if (asked.has('language')) settings.use('language', asked.get('language'));
translate();

const live = connect({ node: id, display: address, view: 'display' });
const view = new View();
const sound = new Sound(() => render());
const next = new Instant(render);
let options = null;
let dressed = null;

/** The display follows the group that is selected, unless its address names one. */
function dress() {
  const query = merged(address, live.site?.views);
  const found = parameters(query, live.nodes.get(id)?.state?.group?.display);
  found.isSteady ||= calm.matches;
  if (found.theme === 'auto' && settings.get('theme') !== 'auto') found.theme = settings.get('theme');
  const text = JSON.stringify(found, (key, value) => (value instanceof Set ? [...value] : value));
  if (text === dressed) return;
  dressed = text;
  options = found;
  view.dress(options);
  view.fitMessage();
}

function render() {
  dress();
  const now = serverNow();
  const shown = picture(live, id, options, now);
  view.update(shown);
  sound.follow(live.nodes.get(id), count(live.nodes.get(id), now));
  setText(document.getElementById('title'), t('display.title', { name: shown.name ?? id }));
  if (document.title !== `${shown.name ?? id}`) document.title = `${shown.name ?? id}`;
  document.getElementById('tap').hidden = !sound.isWaiting;
  next.set(shown.nextChange);
}

const controls = new Controls(id, {
  hasButtons: merged(address).get('controls') !== 'off',
  onTap: () => sound.arm(),
}).start();

live.addEventListener('change', render);
live.addEventListener('status', render);
live.addEventListener('display', ({ detail }) => {
  if (detail.identify) controls.identify(t(`display.kind.${options.kind}`));
  if (detail.blackout !== undefined) controls.setBlack(detail.blackout);
});
live.addEventListener('event', ({ detail }) => {
  if (detail.id === id && detail.event.event_type === 'transition') sound.transition();
});
onClock(render);
calm.addEventListener('change', render);
settings.addEventListener('change', render);
document.addEventListener('visibilitychange', () => { if (!document.hidden) render(); });
window.addEventListener('resize', () => view.fitMessage());
sound.arm();
render();
