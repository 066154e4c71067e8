// What comes after the login. Pure.

/** The digits of what was typed: people write a PIN in groups. */
export const pinOf = (text) => text.replace(/[\s-]/g, '');

/**
 * The address to go to after the login: one inside this site, whatever a link says; else the site's root.
 *
 * @param {string|null} wish relative to the site's root.
 * @param {string} root the site's root, as a whole address.
 */
export function nextAddress(wish, root) {
  if (!wish) return root;
  try {
    const address = new URL(wish, root);
    const isInside = address.href.startsWith(root) && ['http:', 'https:'].includes(address.protocol);
    // A login that leads to the login goes round in circles.
    return isInside && !/^login\b/.test(address.href.slice(root.length)) ? address.href : root;
  } catch {
    return root;
  }
}
