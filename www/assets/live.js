// The state of the nodes, received as a stream of events from the server.
import { heardServerTime, startClock } from './clock.js?v=';
import { settings } from './settings.js?v=';

/** How long the stream may be silent; the server sends a ping every 2 s. */
const SILENCE = 4_000;
const FIRST_DELAY = 500;
const LONGEST_DELAY = 5_000;
/** A timer that runs this late was delayed by the browser, because the tab or the machine was asleep. */
const ASLEEP = 1_000;

export class Live extends EventTarget {
  /**
   * @param {{node?: string, display?: string, view?: string}} options the node, or all; a display's query.
   */
  constructor(options = {}) {
    super();
    this.options = options;
    this.nodes = new Map();
    this.broker = null;
    this.site = { views: {}, messages: [], public_url: null };
    /** The role of this browser, and how it has proved it. */
    this.role = null;
    this.proof = 'none';
    /** connecting, live, or reconnecting. */
    this.status = 'connecting';
    this.failures = 0;
    this.source = null;
    this.retry = null;
    this.watch = null;
  }

  start() {
    startClock();
    document.addEventListener('visibilitychange', () => this.#visibilityChanged());
    window.addEventListener('pageshow', (event) => { if (event.persisted) this.reopen(); });
    window.addEventListener('pagehide', () => this.#close());
    window.addEventListener('online', () => this.reopen());
    // The browser had frozen the page: it received nothing, and its connection may be dead.
    document.addEventListener('resume', () => this.reopen());
    this.#open();
    return this;
  }

  /** Whether messages from a node reach this page, as far as the page can know. */
  reaches(id) {
    const node = this.nodes.get(id);
    return this.status === 'live' && Boolean(this.broker?.connected)
      && node?.availability === 'online' && node.heard !== false;
  }

  /** Closes the stream and opens it again, for instance after a login. */
  reopen() {
    this.#close();
    this.failures = 0;
    this.#open();
  }

  get #address() {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(this.options)) if (value !== undefined) query.set(key, value);
    // The server reads a plus as a plus.
    const text = query.toString().replaceAll('+', '%20');
    return text ? `api/events?${text}` : 'api/events';
  }

  #open() {
    if (this.source || (document.hidden && !this.#isWantedHidden)) return;
    const source = new EventSource(this.#address);
    this.source = source;
    const on = (name, handle) => source.addEventListener(name, (event) => {
      if (this.source !== source) return;
      this.#heard();
      handle(JSON.parse(event.data));
    });
    on('snapshot', (snapshot) => this.#snapshot(snapshot));
    on('node', (change) => this.#node(change));
    on('gone', ({ id }) => {
      this.nodes.delete(id);
      this.#tell('change', { id, keys: [] });
    });
    on('broker', (broker) => {
      this.broker = broker;
      this.#tell('change', { id: null, keys: ['broker'] });
    });
    for (const name of ['event', 'display', 'displays', 'session']) on(name, (detail) => this.#tell(name, detail));
    on('ping', ({ now }) => heardServerTime(now));
    source.addEventListener('error', () => { if (this.source === source) this.#failed(); });
    this.#heard();
  }

  #snapshot(snapshot) {
    heardServerTime(snapshot.now, snapshot.boot);
    this.failures = 0;
    this.broker = snapshot.broker;
    this.site = snapshot.site;
    this.role = snapshot.role;
    this.proof = snapshot.proof;
    this.nodes = new Map(Object.entries(snapshot.nodes));
    this.#setStatus('live');
    this.#tell('change', { id: null, keys: ['snapshot'] });
  }

  #node(change) {
    this.nodes.set(change.id, { ...this.nodes.get(change.id), ...change });
    this.#tell('change', { id: change.id, keys: Object.keys(change) });
  }

  #heard() {
    clearTimeout(this.watch);
    const due = performance.now() + SILENCE;
    this.watch = setTimeout(() => {
      // A late timer does not mean that the server is silent, so no warning is shown. But the connection may have died
      // during the sleep.
      if (performance.now() - due > ASLEEP) this.reopen();
      else this.#failed();
    }, SILENCE);
  }

  #failed() {
    // The server's response closed the stream for good; it was not a broken connection.
    if (this.source?.readyState === EventSource.CLOSED) this.#askWhy();
    this.#close();
    this.#setStatus(this.status === 'connecting' ? 'connecting' : 'reconnecting');
    this.failures += 1;
    const longest = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** this.failures);
    this.retry = setTimeout(() => this.#open(), FIRST_DELAY / 2 + Math.random() * longest);
  }

  /** If permission is missing, the page or this class asks the user to log in; any other failure is retried. */
  async #askWhy() {
    if (!this.dispatchEvent(new Event('refused', { cancelable: true }))) return;
    const { requireRole } = await import('./place.js?v=').catch(() => ({}));
    await requireRole?.('viewer');
  }

  #close() {
    clearTimeout(this.watch);
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
  }

  /** A page that plays sound needs its stream even while it is hidden. */
  get #isWantedHidden() { return settings.get('sound'); }

  #visibilityChanged() {
    if (!document.hidden) {
      if (!this.source) this.reopen();
    } else if (!this.#isWantedHidden) {
      // A browser allows six connections to a host, and hidden tabs would use them all.
      this.#close();
      this.#setStatus('reconnecting');
    }
  }

  #setStatus(status) {
    if (status === this.status) return;
    this.status = status;
    this.#tell('status', status);
  }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}

/** Opens the stream. */
export const connect = (options) => new Live(options).start();
