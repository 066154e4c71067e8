// The header of a page: the links to the other pages, and the session. On a phone they are behind a button.
import { remove } from './http.js?v=';
import { isAtLeast, loginAddress } from './place.js?v=';
import { t } from './texts.js?v=';
import { h, refusalText, toast } from './ui.js?v=';

/** Ends the session, and leads to the page that everybody may see. */
async function logOut() {
  const answer = await remove('api/session');
  if (answer.ok) location.assign('./');
  else toast(refusalText(answer), 'error');
}

function links(role, current) {
  const pages = [['rooms', './'], ['agenda', 'agenda']];
  if (role === 'operator') pages.push(['displays', 'displays']);
  pages.push(['settings', 'settings']);
  return pages.map(([name, address]) => h('a',
    { href: address, 'aria-current': name === current ? 'page' : null }, t(`common.${name}`)));
}

/**
 * Shows the links in the page's header; pages that a role may not use are omitted.
 *
 * @param {{role: string|null, proof: string}|null} client the role of this browser, and how it has proved it.
 * @param {string} current the name of this page.
 */
export function showNavigation(client, current) {
  const { role = null, proof = 'none' } = client ?? {};
  const place = document.getElementById('navigation');
  const button = h('button', {
    type: 'button', class: 'menu', 'aria-expanded': 'false', 'aria-label': t('common.menu'), 'aria-controls': 'site',
  }, '☰');
  const isOpen = () => button.getAttribute('aria-expanded') === 'true';
  const show = (wanted) => button.setAttribute('aria-expanded', String(wanted));
  button.addEventListener('click', () => show(!isOpen()));
  const session = proof === 'session' && isAtLeast(role, 'remote')
    ? h('button', { type: 'button', class: 'session', onclick: logOut }, t('common.log_out'))
    // An operator without a session comes from a proxy that asks for no PIN.
    : role !== 'operator' && current !== 'login'
      && h('a', { class: 'session', href: loginAddress() }, t('common.log_in'));
  place.replaceChildren(button, h('nav', {
    class: 'site', id: 'site', 'aria-label': t('common.navigation'),
  }, links(role, current), session));
  place.onkeydown = (event) => {
    if (event.key !== 'Escape' || !isOpen()) return;
    show(false);
    button.focus();
  };
  // A tap elsewhere closes it.
  document.onpointerdown = (event) => { if (!place.contains(event.target)) show(false); };
}
