// Updates the rooms page.
import { onClock, serverNow } from '../clock.js?v=';
import { showNavigation } from '../header.js?v=';
import { Instant } from '../instants.js?v=';
import { settings } from '../settings.js?v=';
import { t, translate } from '../texts.js?v=';
import { setText } from '../ui.js?v=';
import { Card } from './card.js?v=';

const element = (id) => document.getElementById(id);
const calm = matchMedia('(prefers-reduced-motion: reduce)');

let live;
const cards = new Map();
const next = new Instant(render);
let shownRole;

/** Shows the pages that the user's role allows. The role rarely changes. */
function renderHeader() {
  if (shownRole === live.role) return;
  shownRole = live.role;
  showNavigation(live, 'rooms');
}

function connectionText() {
  if (live.status !== 'live') return t(`display.${live.status}`);
  return live.broker?.connected ? '' : t('rooms.broker_away', { broker: live.broker?.address ?? '' });
}

function renderEmpty() {
  const isEmpty = live.status === 'live' && live.nodes.size === 0;
  element('empty').hidden = !isEmpty;
  if (!isEmpty) return;
  setText(element('empty-title'), t('rooms.none'));
  setText(element('empty-hint'), t('rooms.none_hint', { broker: live.broker?.address ?? '' }));
}

/** Creates a card for each node, in the order of their ids, which do not change as names do. */
function arrange() {
  for (const [id, card] of cards) {
    if (live.nodes.has(id)) continue;
    card.element.remove();
    cards.delete(id);
  }
  const ids = [...live.nodes.keys()].sort((one, other) => one.localeCompare(other));
  ids.forEach((id, place) => {
    if (!cards.has(id)) cards.set(id, new Card(id, live));
    const { element: card } = cards.get(id);
    const there = element('rooms').children[place];
    if (there !== card) element('rooms').insertBefore(card, there ?? null);
  });
}

function render() {
  if (live.status !== 'connecting') renderHeader();
  const text = connectionText();
  element('connection').hidden = !text;
  setText(element('connection'), text);
  renderEmpty();
  arrange();
  const now = serverNow();
  let change = Infinity;
  for (const card of cards.values()) change = Math.min(change, card.update(now, calm.matches));
  next.set(change);
}

/** Starts showing the nodes of a stream. */
export function show(stream) {
  live = stream;
  translate();
  live.addEventListener('change', render);
  live.addEventListener('status', render);
  onClock(render);
  calm.addEventListener('change', render);
  settings.addEventListener('change', render);
  document.addEventListener('visibilitychange', () => { if (!document.hidden) render(); });
  render();
}
