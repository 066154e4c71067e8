// The actions of a user at a display (full screen, blackout, a QR code for the remote), and the remote actions of an
// operator.
import { awakeSupport, keepAwake } from '../awake.js?v=';
import { h, setText } from '../ui.js?v=';
import { t } from '../texts.js?v=';

/** How long the buttons stay after the pointer has moved. */
const BUTTONS_FOR = 4_000;
const IDENTIFY_FOR = 6_000;

const root = document.documentElement;

export class Controls {
  #buttons = null;
  #hiding = null;
  #code = null;
  #blackout = null;
  #identity = null;

  /**
   * @param {string} id the node's id.
   * @param {() => void} onTap called at each tap and key.
   */
  constructor(id, onTap) {
    this.id = id;
    this.onTap = onTap;
  }

  start() {
    this.#blackout = h('aside', { id: 'blackout', 'aria-label': t('display.blackout'), hidden: true });
    document.body.append(this.#blackout);
    document.addEventListener('keydown', (event) => this.#key(event));
    document.addEventListener('pointerdown', () => { this.onTap(); this.showButtons(); });
    document.addEventListener('pointermove', () => this.showButtons());
    document.addEventListener('visibilitychange', () => this.#keepAwake());
    document.addEventListener('fullscreenchange', () => this.#press('full', Boolean(document.fullscreenElement)));
    this.#keepAwake();
    // Whoever comes from another page sees the way back. A kiosk and a stream are opened by themselves.
    this.cameFromSite = document.referrer.startsWith(document.baseURI);
    return this;
  }

  /** Whether there are buttons. The server's views may set this later than the address. */
  set hasButtons(wanted) {
    if (wanted === Boolean(this.#buttons)) return;
    if (wanted) {
      this.#makeButtons();
      this.#keepAwake();
      if (this.cameFromSite) this.showButtons();
    } else {
      this.#buttons.remove();
      this.#buttons = null;
    }
  }

  get isBlack() { return !this.#blackout.hidden; }

  setBlack(on) {
    this.#blackout.hidden = !on;
    this.#press('blackout', on);
  }

  /** Shows the id of this display for a few seconds. */
  identify(text) {
    this.#identity?.remove();
    const shown = h('div', { id: 'identity', role: 'alert' }, h('p', {}, this.id), h('p', { class: 'kind' }, text));
    this.#identity = shown;
    document.body.append(shown);
    setTimeout(() => shown.remove(), IDENTIFY_FOR);
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    this.onTap();
    const key = event.key.toLowerCase();
    if (key === 'b') this.setBlack(!this.isBlack);
    else if (key === 'f') this.#toggleFullScreen();
    else if (key === 'q') this.#toggleCode();
    else if (key === 'escape' && this.#code) this.#toggleCode();
    else if (key === 'tab') this.showButtons();
  }

  #toggleFullScreen() {
    // If the browser has no full screen (as on iPhones), or a frame may not use it, nothing happens.
    if (document.fullscreenElement) document.exitFullscreen();
    else root.requestFullscreen?.().catch(() => {});
  }

  #toggleCode() {
    if (this.#code) {
      this.#code.remove();
      this.#code = null;
    } else {
      const path = `n/${this.id}/remote`;
      const address = new URL(path, document.baseURI).href;
      this.#code = h('aside', { id: 'code', onclick: () => this.#toggleCode() },
        h('img', { src: `api/qr.svg?path=${encodeURIComponent(path)}`, alt: t('display.code', { address }) }),
        h('p', {}, t('display.code_hint')), h('p', { class: 'address' }, address));
      document.body.append(this.#code);
    }
    this.#press('code', Boolean(this.#code));
  }

  #makeButtons() {
    const button = (name, action) => h('button', {
      type: 'button', dataset: { name }, 'aria-pressed': 'false', onclick: action,
    }, t(`display.do.${name}`));
    this.#buttons = h('nav', { id: 'controls', 'aria-label': t('display.controls') },
      h('a', { class: 'button', href: './' }, t('common.rooms')),
      button('full', () => this.#toggleFullScreen()),
      button('blackout', () => this.setBlack(!this.isBlack)),
      button('code', () => this.#toggleCode()),
      h('p', { id: 'awake' }),
      // The settings page explains how.
      h('a', { id: 'how-awake', class: 'button', href: 'settings#screen-title', hidden: true },
        t('display.how_awake')));
    this.#buttons.addEventListener('focusin', () => this.showButtons());
    document.body.append(this.#buttons);
  }

  #press(name, on) {
    this.#buttons?.querySelector(`[data-name='${name}']`)?.setAttribute('aria-pressed', String(on));
  }

  showButtons() {
    if (!this.#buttons) return;
    root.classList.add('has-pointer');
    clearTimeout(this.#hiding);
    this.#hiding = setTimeout(() => {
      if (!this.#buttons?.contains(document.activeElement)) root.classList.remove('has-pointer');
    }, BUTTONS_FOR);
  }

  /** Keeps the screen on if the browser allows it; otherwise the buttons show why not. */
  async #keepAwake() {
    if (document.hidden) return;
    const isAwake = await keepAwake(true);
    if (!this.#buttons) return;
    const isInsecure = awakeSupport() === 'insecure';
    const text = isAwake ? '' : t(isInsecure ? 'display.awake_https' : 'display.no_awake');
    setText(this.#buttons.querySelector('#awake'), text);
    this.#buttons.querySelector('#how-awake').hidden = !isInsecure;
  }
}
