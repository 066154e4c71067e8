// What several people may change at once: a node's timers, or its agenda. Each change says what it is based on.
import { command } from './http.js?v=';
import { isSame } from './same.js?v=';

/** How long we wait for the node to publish what it has done. */
const PATIENCE = 5_000;
/** How many old versions are kept, to say what somebody else has changed. */
const KEPT = 50;

/** What a change throws where it cannot be made: the last part of a text's key. */
export class Impossible extends Error {}

class SharedDocument extends EventTarget {
  /**
   * @param {string} node
   * @param {{verb: string, revision: string, content: (payload: object) => object, isComplete?: () => boolean}} kind
   *   the verb that replaces the whole, the field with its revision, the part of what the node publishes that the verb
   *   takes, and whether we are told all of it.
   */
  constructor(node, kind) {
    super();
    this.node = node;
    /** What people call the node. */
    this.title = node;
    this.kind = kind;
    /** What the node published last; null before that. */
    this.latest = null;
    /** Old and new versions by their revision. */
    this.versions = new Map();
    /** The revision that each change of this page has made out of another one. */
    this.own = new Map();
    this.pending = [];
    this.queue = Promise.resolve();
  }

  get revision() { return this.latest?.[this.kind.revision] ?? null; }

  /** What the node has, with the changes of this page that are on their way. */
  get shown() {
    let shown = this.latest;
    for (const { apply, sentAt } of this.pending) {
      // The node has published it already, and its answer is still on its way.
      if (sentAt !== undefined && this.revision !== sentAt) continue;
      try {
        shown = apply(shown);
      } catch (error) {
        if (!(error instanceof Impossible)) throw error;
      }
    }
    return shown;
  }

  /** Takes what the node has published. */
  receive(payload) {
    if (isSame(payload, this.latest)) return;
    const before = this.revision;
    this.latest = payload ?? null;
    if (payload) {
      // A node that has lost its storage counts anew.
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
   * Changes the document, after the changes before it.
   *
   * @param {(document: object) => object} apply makes a new document out of an old one, or throws `Impossible`.
   * @param {number|null} basedOn the revision that the user saw.
   * @param {(before: object, after: object) => [string, object]|null} request another command than the whole.
   * @returns {Promise<{ok: boolean, code?: string, message?: string, base?: object, theirs?: object}>} in a conflict
   *   with what the change was based on, and what the node has by now.
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
    // Who may not see all of it would take away what he does not see.
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

/** The agenda of a node. Viewers are not told the notes. */
export const agendaDocument = (node, isComplete) => new SharedDocument(node, {
  isComplete,
  verb: 'agenda', revision: 'revision',
  content: ({ zone, remind_after, meetings }) => ({ zone, remind_after, meetings }),
});
