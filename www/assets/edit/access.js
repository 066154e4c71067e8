// Pages that need a role.
import { session } from '../http.js?v=';
import { t } from '../texts.js?v=';
import { h } from '../ui.js?v=';

const ROLES = ['viewer', 'remote', 'operator'];

export const hasRole = (role, needed) => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** Where to log in, and to come back from. */
export const loginAddress = (role, next) => `login?next=${encodeURIComponent(next)}&role=${role}`;

let hadRole = false;
let notice = null;

/** Leads to the login; a page that had the role stays as it is, with what is typed in it, and only says so. */
function missing(role, next) {
  if (!hadRole) {
    location.replace(new URL(loginAddress(role, next), document.baseURI));
  } else if (!notice) {
    notice = h('p', { class: 'error card', role: 'alert' }, `${t('edit.logged_out')} `,
      h('a', { href: loginAddress(role, next), target: '_blank' }, t('edit.login')));
    document.querySelector('main').prepend(notice);
  }
}

/**
 * Asks for a role, whenever the stream says who we are. Where only those who are logged in may see anything there is no
 * stream without a session, so that this is asked for by itself too.
 *
 * @param {() => string} next the address of this page, inside of the site.
 */
export function requireRole(live, role, next) {
  const check = (present) => {
    if (!hasRole(present, role)) {
      missing(role, next());
      return;
    }
    hadRole = true;
    notice?.remove();
    notice = null;
  };
  const ask = async () => {
    const answer = await session();
    if (answer.ok) check(answer.content.role);
    if (notice === null && hadRole && live.status === 'live' && !hasRole(live.role, role)) live.reopen();
  };
  live.addEventListener('change', ({ detail }) => { if (detail.keys.includes('snapshot')) check(live.role); });
  live.addEventListener('session', ask);
  window.addEventListener('focus', () => { if (notice) ask(); });
  if (live.status !== 'live') ask();
}
