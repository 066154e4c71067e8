// Keeps the screen on, if the browser allows it: over HTTPS, and while the page is visible.

let lock = null;
let isWanted = false;
let asking = null;

async function ask() {
  try {
    lock = (await navigator.wakeLock?.request('screen')) ?? null;
  } catch {
    // The battery may be nearly empty, for instance. The screen then turns off as usual for the device.
    return;
  }
  lock?.addEventListener('release', () => { lock = null; });
  if (!isWanted) apply();
}

async function apply() {
  if (!isWanted) {
    lock?.release();
    lock = null;
  } else if (!lock && !document.hidden) {
    asking ??= ask().finally(() => { asking = null; });
    await asking;
  }
  return lock !== null;
}

/** What this browser supports: good, insecure (HTTPS is missing), or none. */
export function awakeSupport() {
  if (navigator.wakeLock) return 'good';
  return window.isSecureContext ? 'none' : 'insecure';
}

/**
 * Sets whether the screen must stay on. The browser releases the lock when the page is hidden; the lock is then
 * requested again.
 *
 * @returns {Promise<boolean>} whether it stays on.
 */
export function keepAwake(wanted) {
  isWanted = wanted;
  return apply();
}

document.addEventListener('visibilitychange', apply);
