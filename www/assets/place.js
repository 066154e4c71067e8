// Where a page is on the site, and who may see it. The site may be below any path, so addresses are relative.
import { session } from './http.js?v=';

const ranks = { viewer: 1, remote: 2, operator: 3 };

/** The address of this page relative to the site's root, such as n/lectern/remote?x=1. */
export const here = () => location.href.slice(document.baseURI.length).replace(/#.*/, '');

/** The id of the node that this page belongs to: n/ID/… */
export const nodeID = () => decodeURIComponent(/^n\/([^/?]+)/.exec(here())?.[1] ?? '');

/** Whether a role has at least the rights of another one. */
export const isAtLeast = (role, wanted) => (ranks[role] ?? 0) >= ranks[wanted];

/** The address of the login page, which leads back to this page. */
export function loginAddress(role) {
  const query = new URLSearchParams({ next: here() });
  if (role) query.set('role', role);
  return `login?${query}`;
}

/** Whether the login page is loading; navigating a second time would only interrupt that. */
let isLeaving = false;
window.addEventListener('pageshow', () => { isLeaving = false; });

/** Goes to the login page, which leads back to this page. */
export function logIn(role) {
  if (isLeaving) return;
  isLeaving = true;
  location.replace(loginAddress(role));
}

/**
 * Goes to the login page unless this browser has the role or a higher one.
 *
 * @returns the session, or null if the server did not respond with one. It never resolves if the page is about to be
 *   left.
 */
export async function requireRole(role) {
  const answer = await session();
  if (!answer.ok) return null;
  if (isAtLeast(answer.content.role, role)) return answer.content;
  logIn(role);
  return new Promise(() => {});
}
