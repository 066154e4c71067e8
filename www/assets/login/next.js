// The steps after the login. Pure functions.

/** The digits of the input: people type a PIN in groups. */
export const pinOf = (text) => text.replace(/[\s-]/g, '');

/**
 * The address to go to after the login: always inside this site, whatever a link says; otherwise the site's root.
 *
 * @param {string|null} wish relative to the site's root.
 * @param {string} root the site's root, as an absolute address.
 */
export function nextAddress(wish, root) {
  if (!wish) return root;
  try {
    const address = new URL(wish, root);
    const isInside = address.href.startsWith(root) && ['http:', 'https:'].includes(address.protocol);
    // A login that leads to the login page would go round in circles.
    return isInside && !/^login\b/.test(address.href.slice(root.length)) ? address.href : root;
  } catch {
    return root;
  }
}
