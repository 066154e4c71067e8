// The user's settings, stored in this browser. If it may not store them, they last while the page is open.

const KEY = 'timer-web';
const DEFAULTS = {
  sound: false, vibration: false, leftHanded: false, gestures: false, language: null, theme: 'auto', speakers: [], attending: [],
};
/** The media to which the dark colours apply, by theme. Paper is always white. */
const DARK_FOR = { auto: 'screen and (prefers-color-scheme: dark)', light: 'not all', dark: 'screen' };

function load() {
  try {
    const values = JSON.parse(localStorage.getItem(KEY));
    return typeof values === 'object' && values !== null ? values : {};
  } catch {
    return {};
  }
}

class Settings extends EventTarget {
  #ownValues = {};

  constructor() {
    super();
    this.values = load();
    // If no theme is chosen, the page's own theme applies: a display is dark.
    if (this.get('theme') !== DEFAULTS.theme) this.#showTheme();
    window.addEventListener('storage', (event) => {
      if (event.key !== null && event.key !== KEY) return;
      this.values = load();
      this.#changed();
    });
  }

  get(key) { return this.#ownValues[key] ?? this.values[key] ?? DEFAULTS[key]; }

  set(key, value) {
    this.values = { ...this.values, [key]: value };
    try {
      // Another tab may have changed another setting meanwhile.
      localStorage.setItem(KEY, JSON.stringify({ ...load(), [key]: value }));
    } catch {
      // Private browsing may forbid storage.
    }
    this.#changed();
  }

  /** Sets a value for this page only, or removes it with null; nothing is stored. */
  use(key, value) {
    this.#ownValues[key] = value;
    this.#showTheme();
  }

  #changed() {
    this.#showTheme();
    this.dispatchEvent(new Event('change'));
  }

  #showTheme() {
    const dark = document.getElementById('dark');
    const media = DARK_FOR[this.get('theme')] ?? DARK_FOR.auto;
    if (dark.media !== media) dark.media = media;
  }
}

export const settings = new Settings();
