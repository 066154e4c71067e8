// What this browser remembers of its user's wishes. Where it may not remember, they last as long as the page.

const KEY = 'timer-web';
const DEFAULTS = {
  sound: false, vibration: false, leftHanded: false, gestures: false, language: null, theme: 'auto', speakers: [],
};

function load() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

class Settings extends EventTarget {
  #ownValues = {};

  constructor() {
    super();
    this.values = load();
    window.addEventListener('storage', (event) => {
      if (event.key !== KEY) return;
      this.values = load();
      this.dispatchEvent(new Event('change'));
    });
  }

  get(key) { return this.#ownValues[key] ?? this.values[key] ?? DEFAULTS[key]; }

  set(key, value) {
    this.values = { ...this.values, [key]: value };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.values));
    } catch {
      // Private browsing may forbid it.
    }
    this.dispatchEvent(new Event('change'));
  }

  /** Sets a value for this page alone: nothing is remembered. */
  use(key, value) { this.#ownValues[key] = value; }
}

export const settings = new Settings();
