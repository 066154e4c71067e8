// For pages that need a role for as long as they are open.
import { session } from './http.js?v=';
import { isAtLeast, logIn, loginAddress } from './place.js?v=';
import { t } from './texts.js?v=';
import { h } from './ui.js?v=';

/**
 * Requires a role whenever the stream reports ours. Without the role, it opens the login page; a page that had the role
 * before stays as it is, with everything typed into it, and only shows a notice.
 *
 * If only logged-in users may see anything, there is no stream without a session, so we also request the session
 * directly.
 */
export function keepRole(live, role) {
  let hadRole = false;
  let notice = null;

  function missing() {
    if (!hadRole) {
      logIn(role);
    } else if (!notice) {
      notice = h('p', { class: 'error card', role: 'alert' }, `${t('edit.logged_out')} `,
        h('a', { href: loginAddress(role), target: '_blank' }, t('common.log_in')));
      document.querySelector('main').prepend(notice);
    }
  }
  function check(present) {
    if (!isAtLeast(present, role)) {
      missing();
      return;
    }
    hadRole = true;
    notice?.remove();
    notice = null;
  }
  async function ask() {
    const answer = await session();
    if (!answer.ok) return;
    check(answer.content.role);
    if (notice === null && live.status === 'live' && !isAtLeast(live.role, role)) live.reopen();
  }
  live.addEventListener('change', ({ detail }) => { if (detail.keys.includes('snapshot')) check(live.role); });
  live.addEventListener('session', ask);
  live.addEventListener('refused', (event) => {
    event.preventDefault();
    ask();
  });
  window.addEventListener('focus', () => { if (notice) ask(); });
  ask();
}
