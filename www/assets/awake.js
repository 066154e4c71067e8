// Keeps the screen on, where the browser allows it: over HTTPS, and while the page is seen.

let lock = null;
let isWanted = false;

async function apply() {
  if (isWanted && !lock && !document.hidden) {
    try {
      lock = (await navigator.wakeLock?.request('screen')) ?? null;
    } catch {
      // A battery that is nearly empty, for instance; the screen then goes off as the device has it.
      return;
    }
    lock?.addEventListener('release', () => { lock = null; });
    if (!isWanted) apply();
  } else if (!isWanted && lock) {
    lock.release();
    lock = null;
  }
}

/** Says whether the screen is to stay on. The browser ends that with a page that is hidden; then it is asked again. */
export function keepAwake(wanted) {
  if (wanted === isWanted) return;
  isWanted = wanted;
  apply();
}

document.addEventListener('visibilitychange', apply);
