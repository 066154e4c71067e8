// A document that several people may change at once: a node's timers, or its agenda. Each change names the revision
// that it is based on.
import { command } from './http.js?v=';
import { isSame } from './same.js?v=';

/** How long to wait for the node to publish the result. */
const PATIENCE = 5_000;
/** The number of old versions to keep, to show the changes that someone else has made. */
const KEPT = 50;

/** Thrown by a change that cannot be made; the message is the last part of a string's key. */
export class Impossible extends Error {}

class SharedDocument extends EventTarget {
  /**
   * @param {string} node
   * @param {{verb: string, revision: string, content: (payload: object) => object, isComplete?: () => boolean}} kind
   *   the verb that replaces the whole document, the field with its revision, the part of the node's message that the
   *   verb takes, and whether we receive all of the document.
   */
  constructor(node, kind) {
    super();
    this.node = node;
    /** The display name of the node. */
    this.title = node;
    this.kind = kind;
    /** What the node published last; null before that. */
    this.latest = null;
    /** Old and new versions by their revision. */
    this.versions = new Map();
    /** For each change made on this page, the new revision, keyed by the revision that it replaced. */
    this.own = new Map();
    this.pending = [];
    this.queue = Promise.resolve();
  }

  get revision() { return this.latest?.[this.kind.revision] ?? null; }

  /** The node's document, with the pending changes of this page applied. */
  get shown() {
    let shown = this.latest;
    for (const { apply, sentAt } of this.pending) {
      // The node has already published this change; only its response is still missing.
      if (sentAt !== undefined && this.revision !== sentAt) continue;
      try {
        shown = apply(shown);
      } catch (error) {
        if (!(error instanceof Impossible)) throw error;
      }
    }
    return shown;
  }

  /** Processes what the node has published. */
  receive(payload) {
    if (isSame(payload, this.latest)) return;
    const before = this.revision;
    this.latest = payload ?? null;
    if (payload) {
      // A node that has lost its storage starts counting again.
      if (before !== null && this.revision < before) {
        this.own.clear();
        this.versions.clear();
      }
      this.versions.set(this.revision, payload);
      for (const old of [...this.versions.keys()].slice(0, -KEPT)) this.versions.delete(old);
    }
    this.#tell();
  }

  /**
   * Changes the document, after all earlier changes.
   *
   * @param {(document: object) => object} apply creates a new document from an old one, or throws `Impossible`.
   * @param {number|null} basedOn the revision that the user saw.
   * @param {(before: object, after: object) => [string, object]|null} request returns a command to send instead of the
   *   whole document.
   * @returns {Promise<{ok: boolean, code?: string, message?: string, base?: object, theirs?: object}>} in a conflict
   *   with the document that the change was based on, and the node's current one.
   */
  change(apply, { basedOn = this.revision, request = null } = {}) {
    const entry = { apply, basedOn, request };
    this.pending.push(entry);
    this.#tell();
    const done = this.queue.then(() => this.#send(entry)).finally(() => {
      this.pending = this.pending.filter((other) => other !== entry);
      this.#tell();
    });
    this.queue = done.catch(() => {});
    return done;
  }

  async #send(entry) {
    const { apply, basedOn, request } = entry;
    let revision = basedOn;
    while (this.own.has(revision)) revision = this.own.get(revision);
    const base = this.versions.get(revision) ?? this.latest;
    let after;
    try {
      after = apply(base);
    } catch (error) {
      if (!(error instanceof Impossible)) throw error;
      return { ok: false, code: 'impossible', message: error.message };
    }
    if (isSame(base, after)) return { ok: true };
    // A user who may not see all of the document would delete the hidden parts.
    if (this.kind.isComplete?.() === false) return { ok: false, status: 403, code: 'forbidden', message: '' };
    entry.sentAt = revision;
    const [verb, payload] = request?.(base, after) ?? [this.kind.verb, this.kind.content(after)];
    const answer = await command(
      this.node, verb, revision === null ? payload : { ...payload, [this.kind.revision]: revision });
    if (answer.ok) {
      this.own.set(revision, revision + 1);
      await this.#until(() => this.revision !== revision);
      return { ok: true };
    }
    if (answer.code !== 'conflict') return answer;
    await this.#until(() => this.revision !== revision);
    return { ...answer, base, theirs: this.latest };
  }

  #until(condition) {
    if (condition()) return Promise.resolve();
    return new Promise((resolve) => {
      const check = () => { if (condition()) end(); };
      const end = () => {
        clearTimeout(timer);
        this.removeEventListener('change', check);
        resolve();
      };
      const timer = setTimeout(end, PATIENCE);
      this.addEventListener('change', check);
    });
  }

  #tell() { this.dispatchEvent(new Event('change')); }
}

/** The timers of a node. */
export const timersDocument = (node) => new SharedDocument(node, {
  verb: 'timers', revision: 'model_revision',
  content: ({ version, settings, groups }) => ({ version, settings, groups }),
});

/** The agenda of a node. Viewers do not receive the notes. */
export const agendaDocument = (node, isComplete) => new SharedDocument(node, {
  isComplete,
  verb: 'agenda', revision: 'revision',
  content: ({ zone, remind_after, meetings }) => ({ zone, remind_after, meetings }),
});
