// The actions of the buttons on the remote, and which buttons must be held.
import { confirmDialog, feel, holdButton } from '../ui.js?v=';
import { count } from '../counting.js?v=';
import { serverNow } from '../clock.js?v=';
import { t } from '../texts.js?v=';
import { say, send } from './commands.js?v=';

const button = (id) => document.getElementById(id);

/** Whether a run is in progress: paused and overtime count as well, since a press may still end them. */
export const isInProgress = (node) => Boolean(node?.state) && node.state.mode !== 'stopped';

/**
 * The command of the play button now. It is explicit, and not `toggle`: two phones that press at once then pause once,
 * and do not resume.
 */
function playVerb(mode) {
  if (mode === 'paused') return 'resume';
  if (mode === 'stopped') return 'start';
  // There is nothing left to pause. After the stop, the same timer is ready for the next speaker.
  return mode === 'alarm' ? 'stop' : 'pause';
}

/** The controls of the page. */
export class Controls {
  /** @param panel provides the current state of the node. */
  constructor(id, panel) {
    [this.id, this.panel] = [id, panel];
    this.#holdings();
    this.#press('silence', () => this.send('silence', {}, button('silence')));
    this.#press('lock', () => this.lock());
    this.#press('next-entry', () => this.send('entry', { entry: 'next' }, button('next-entry')));
    this.#press('switch', () => this.send('switch', {}, button('switch')));
    this.#press('undo', () => this.send('undo', {}, button('undo')));
    this.#press('identify', () => this.send('identify', {}, button('identify')));
    this.#slider();
    this.#card();
  }

  get node() { return this.panel.node; }

  send(verb, payload, from) { return send(this.id, verb, payload, from); }

  #holdings() {
    const goesOn = () => isInProgress(this.node);
    this.hold(button('stop'), goesOn, () => this.send('stop', {}, button('stop')));
    this.hold(button('rewind'), goesOn, () => this.send('rewind', {}, button('rewind')));
    this.hold(button('forward'), goesOn, () => this.send('fast_forward', {}, button('forward')));
    this.hold(button('next'), goesOn, () => this.send('next', {}, button('next')));
    this.hold(button('previous'), goesOn, () => this.send('previous', {}, button('previous')));
    this.hold(button('restart'), goesOn, () => this.send('start', {}, button('restart')));
    this.hold(button('end'), goesOn, () => this.send('end', {}, button('end')));
    // During the alarm it ends a run that is over; pausing and resuming end nothing.
    this.hold(button('play'), () => this.shownMode === 'alarm', () => this.play());
  }

  hold(element, isNeeded, action) {
    return holdButton(element, isNeeded, action, 1000, (text) => say(text));
  }

  #press(id, action) {
    button(id).addEventListener('pointerdown', () => feel(button(id)));
    button(id).addEventListener('click', action);
  }

  play() {
    const mode = this.shownMode;
    return mode ? this.send(playVerb(mode), {}, button('play')) : null;
  }

  /** The mode that the page shows, which may be ahead of a message that has not arrived yet. */
  get shownMode() { return count(this.node, serverNow())?.mode ?? this.node?.state?.mode ?? null; }

  lock() {
    const isLocked = Boolean(this.node?.state?.locked);
    return this.send(isLocked ? 'unlock' : 'lock', {}, button('lock'));
  }

  /** Grants time, or takes it; asks first where that would end the time of a run. */
  async add(seconds) {
    feel(button('time'));
    const shown = count(this.node, serverNow());
    const isLast = Boolean(shown) && isInProgress(this.node) && shown.remaining + seconds <= 0;
    if (isLast && !await confirmDialog(t('remote.time.last'))) return;
    this.send('add', { seconds }, button('time'));
  }

  /** The value is sent on release, because the node would refuse as many commands as a moving finger makes. */
  #slider() {
    const slider = button('slider');
    let timer = null;
    let underWay = 0;
    const release = async () => {
      const isSame = timer === this.#timerID;
      timer = null;
      if (isSame) {
        underWay += 1;
        await this.send('set', { remaining: Number(slider.value) }, slider);
        underWay -= 1;
      }
      this.panel.draw();
    };
    slider.addEventListener('input', () => {
      timer ??= this.#timerID;
      slider.setAttribute('aria-valuetext', this.panel.preview(Number(slider.value)));
    });
    slider.addEventListener('change', release);
    for (const name of ['pointercancel', 'blur']) slider.addEventListener(name, () => { timer = null; });
    // The chosen time stays until the node has answered.
    this.isSliding = () => timer !== null || underWay > 0;
  }

  get #timerID() { return this.node?.state?.timer?.id ?? null; }

  #card() {
    const card = button('card');
    card.addEventListener('change', async () => {
      const chosen = card.value;
      const name = card.selectedOptions[0]?.textContent ?? chosen;
      const isSure = !isInProgress(this.node) || await confirmDialog(t('remote.card.replace', { timer: name }));
      // Selecting another timer clears the speaker, who may have just been set on this phone for that timer.
      const speaker = isInProgress(this.node) ? null : this.node?.state?.speaker;
      const answer = isSure ? await this.send('select', { timer: chosen }, card) : null;
      if (answer?.ok && speaker) await this.send('speaker', { name: speaker }, card);
      // Whatever the result, the list shows the node's selection, unless a newer choice is being sent.
      if (!isSure || answer) this.cards();
    });
  }

  /** Shows the list of timers, and which one is selected. */
  cards() {
    const card = button('card');
    const { state, timers } = this.node ?? {};
    const groups = timers?.groups ?? [];
    const text = JSON.stringify([groups, timers?.model_revision]);
    if (card.dataset.groups !== text) {
      card.dataset.groups = text;
      card.replaceChildren(...groups.map((group, index) => this.panel.cardGroup(group, index)));
    }
    card.disabled = groups.length === 0;
    card.value = state?.timer?.path ?? '';
  }
}
