// Where a page is on the site, and who may see it. The site may live below any path, so that addresses are relative.
import { session } from './http.js?v=';

const ranks = { viewer: 1, remote: 2, operator: 3 };

/** The address of this page relative to the site's root, such as n/lectern/remote?x=1. */
export const here = () => location.href.slice(document.baseURI.length).replace(/#.*/, '');

/** The id of the node that this page is about: n/ID/… */
export const nodeID = () => decodeURIComponent(/^n\/([^/?]+)/.exec(here())?.[1] ?? '');

/** Whether a role may do at least what another one may. */
export const isAtLeast = (role, wanted) => (ranks[role] ?? 0) >= ranks[wanted];

/** The login page, which leads back to here. */
export function loginAddress(role) {
  const query = new URLSearchParams({ next: here() });
  if (role) query.set('role', role);
  return `login?${query}`;
}

/** Whether the login page is on its way: what asks for it a second time would only break that off. */
let isLeaving = false;
window.addEventListener('pageshow', () => { isLeaving = false; });

/** Goes to the login page, which leads back to here. */
export function logIn(role) {
  if (isLeaving) return;
  isLeaving = true;
  location.replace(loginAddress(role));
}

/**
 * Leads to the login page where this browser is not known as a role, or as one that may do more.
 *
 * @returns the session, or null where the server did not say. It never resolves where the page is about to be left.
 */
export async function requireRole(role) {
  const answer = await session();
  if (!answer.ok) return null;
  if (isAtLeast(answer.content.role, role)) return answer.content;
  logIn(role);
  return new Promise(() => {});
}
