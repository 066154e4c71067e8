// What this browser remembers of its user's wishes. Where it may not remember, they last as long as the page.

const KEY = 'timer-web';
const DEFAULTS = {
  sound: false, vibration: false, leftHanded: false, gestures: false, language: null, theme: 'auto', speakers: [],
};

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
    this.#showTheme();
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
      // Another tab may have set something else in the meantime.
      localStorage.setItem(KEY, JSON.stringify({ ...load(), [key]: value }));
    } catch {
      // Private browsing may forbid it.
    }
    this.#changed();
  }

  /** Sets a value for this page alone: nothing is remembered. */
  use(key, value) { this.#ownValues[key] = value; }

  #changed() {
    this.#showTheme();
    this.dispatchEvent(new Event('change'));
  }

  /** Sets a value for this page alone: nothing is remembered. */
  use(key, value) { this.#ownValues[key] = value; }
  /** Without a theme of its own the page follows the system. */
  #showTheme() {
    const theme = this.get('theme');
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }
}

export const settings = new Settings();
