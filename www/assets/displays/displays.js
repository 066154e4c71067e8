// All open displays, for operators.
import { keepRole } from '../access.js?v=';
import { showNavigation } from '../header.js?v=';
import { get, post } from '../http.js?v=';
import { connect } from '../live.js?v=';
import { keepFocus, redraw } from '../redraw.js?v=';
import { formatDate, t, translate } from '../texts.js?v=';
import { feel, h, nodeName, refusalText, setText, toast } from '../ui.js?v=';

const element = (name) => document.getElementById(name);
const live = connect({ view: 'displays' });
let displays = null;
/** How many times the stream has sent the list. */
let heard = 0;

async function send(button, id, verb, body) {
  feel(button);
  const answer = await post(`api/displays/${encodeURIComponent(id)}/${verb}`, body);
  if (!answer.ok) toast(t('displays.failed', { reason: refusalText(answer) }), 'error');
}

/** The content of a display, in words: the name of a configured view, or the query in its address. */
function viewText(query) {
  const text = query.replace(/^\?/, '');
  const named = Object.entries(live.site.views ?? {}).find(([, view]) => view.replace(/^\?/, '') === text);
  if (named) return named[0];
  const asked = [...new URLSearchParams(text)].filter(([name]) => name !== 'token');
  if (asked.length === 0) return t('displays.default');
  return asked.map(([name, value]) => (['display', 'view'].includes(name) ? value : `${name}: ${value || '✓'}`))
    .join(', ');
}

const sinceText = (seconds) => formatDate(new Date(seconds * 1000), {
  hour: '2-digit', minute: '2-digit', second: '2-digit', day: 'numeric', month: 'short' });

function card(display) {
  const { id, node, view, address, since, blackout } = display;
  const place = t('displays.name', { id, node: nodeName(live.nodes.get(node) ?? { id: node }) });
  const name = display.name || place;
  const query = new URLSearchParams(view.replace(/^\?/, ''));
  query.delete('token');
  const asked = query.toString();
  const link = `n/${encodeURIComponent(node)}${asked && `?${asked}`}`;
  const term = (key, value) => [h('dt', { class: 'muted' }, t(`displays.${key}`)), h('dd', {}, value)];
  return h('li', { class: `card${blackout ? ' is-dark' : ''}`, 'data-id': id },
    h('h2', {}, name, blackout && h('span', { class: 'badge' }, t('displays.dark'))),
    h('dl', {}, display.name ? term('place', place) : [], term('view', viewText(view)), term('address', address), term('since', sinceText(since))),
    h('div', { class: 'buttons' },
      h('a', { class: 'button', href: link, target: '_blank' }, t('displays.open')),
      h('button', { type: 'button', class: 'rename', 'aria-label': t('displays.rename_label', { display: name }),
        onclick: () => rename(display, name) }, t('displays.rename')),
      h('button', { type: 'button', class: 'identify', 'aria-label': t('displays.identify_label', { display: name }),
        onclick: (event) => send(event.currentTarget, id, 'identify') }, t('displays.identify')),
      h('button', { type: 'button', class: 'blackout', 'aria-pressed': String(blackout),
        'aria-label': t('displays.blackout_label', { display: name }),
        onclick: (event) => send(event.currentTarget, id, 'blackout', { on: !blackout }) }, t('displays.blackout'))));
}

/** Asks for the name of a display. */
function rename(display, title) {
  const label = t('displays.rename_label', { display: title });
  const field = h('input', { id: 'display-name', value: display.name, maxlength: 60, autocomplete: 'off' });
  const dialog = h('dialog', { class: 'dialog', 'aria-label': label }, h('form', {
    method: 'dialog', onsubmit: (event) => send(event.submitter, display.id, 'name', { name: field.value.trim() }),
  }, h('label', { for: 'display-name' }, label), h('p', {}, field),
  h('div', { class: 'buttons' },
    h('button', { type: 'button', onclick: () => dialog.close() }, t('common.cancel')),
    h('button', { class: 'primary' }, t('common.save')))));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  field.select();
}

function draw() {
  setText(element('status'), live.status === 'live' ? '' : t(`edit.status.${live.status}`));
  if (!displays) return;
  const list = [...displays].sort((one, other) =>
    String(one.node).localeCompare(String(other.node)) || one.since - other.since || one.id.localeCompare(other.id));
  setText(element('count'), list.length === 0 ? t('displays.none') : t('displays.count', { count: list.length }));
  for (const name of ['identify-all', 'blackout-all', 'show-all']) element(name).disabled = list.length === 0;
  keepFocus(element('displays'), (button) => button.getAttribute('aria-label'), () =>
    redraw(element('displays'), list.map(card)));
}

async function load() {
  const before = heard;
  const answer = await get('api/displays');
  // What the stream has sent meanwhile is newer.
  if (!answer.ok || heard !== before) return;
  displays = answer.content.displays;
  draw();
}

translate();
document.title = t('displays.title');
for (const [name, verb, body] of [
  ['identify-all', 'identify'], ['blackout-all', 'blackout', { on: true }], ['show-all', 'blackout', { on: false }]]) {
  element(name).addEventListener('click', (event) => send(event.currentTarget, 'all', verb, body));
}
keepRole(live, 'operator');
live.addEventListener('status', draw);
live.addEventListener('displays', ({ detail }) => {
  heard += 1;
  ({ displays } = detail);
  draw();
});
live.addEventListener('change', ({ detail }) => {
  if (!detail.keys.includes('snapshot')) return;
  showNavigation(live, 'displays');
  if (live.role === 'operator') load();
});
draw();
