// Keeps the screen on, where the browser allows it: over HTTPS, and while the page is seen.

let lock = null;
let isWanted = false;
let asking = null;

async function ask() {
  try {
    lock = (await navigator.wakeLock?.request('screen')) ?? null;
  } catch {
    // A battery that is nearly empty, for instance; the screen then goes off as the device has it.
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

/** What this browser can do: good, insecure (HTTPS is missing), or none. */
export function awakeSupport() {
  if (navigator.wakeLock) return 'good';
  return window.isSecureContext ? 'none' : 'insecure';
}

/**
 * Says whether the screen is to stay on. The browser ends that with a page that is hidden; then it is asked again.
 *
 * @returns {Promise<boolean>} whether it stays on.
 */
export function keepAwake(wanted) {
  isWanted = wanted;
  return apply();
}

document.addEventListener('visibilitychange', apply);
