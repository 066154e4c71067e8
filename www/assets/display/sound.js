// The alarm as sound and vibration, for users who have enabled them in the settings.
import { settings } from '../settings.js?v=';

/** An alarm that is late by more than this is not played: a page that was asleep must not sound an old alarm. */
const LATE = 2;
/** The node's own alarm: 425 ms on and off, for 10 s. */
const [ON, OFF, FOR] = [0.425, 0.425, 10];
const BEEP = 0.15;

const groupOf = (node) => node?.timers?.groups?.[(node.state?.group?.index ?? 0) - 1];

export class Sound {
  #context = null;
  #tone = null;
  /** The alarm that is being played or felt. */
  #alarm = null;
  #mode = null;
  #onState;

  /** @param {() => void} onState called when the browser starts or stops letting the page play. */
  constructor(onState) { this.#onState = onState; }

  /** Whether sound is enabled, but the browser waits for a tap on this page. */
  get isWaiting() { return settings.get('sound') && this.#context?.state === 'suspended'; }

  /** Prepares the sound; if called at a tap or a key, the browser then lets the page play. */
  arm() {
    if (!settings.get('sound')) return;
    if (!this.#context) {
      this.#context = new AudioContext();
      this.#context.addEventListener('statechange', this.#onState);
    }
    if (this.#context.state === 'suspended') this.#context.resume();
  }

  /** Follows what a display shows: plays an alarm when it begins, and silences it when it ends. */
  follow(node, counted) {
    if (!counted) return;
    const known = this.#mode;
    this.#mode = counted.mode;
    const isSilenced = node.state.mode === 'alarm' && node.state.outputs?.buzzer === 'off';
    if (counted.mode !== 'alarm') this.#endAlarm();
    else if (known !== null && known !== 'alarm' && counted.overtime < LATE) this.#beginAlarm(node);
    else if (isSilenced && this.#alarm?.hasBuzzer) this.#endAlarm();
    if (this.#alarm && node.state.outputs?.buzzer === 'blink') this.#alarm.hasBuzzer = true;
  }

  /** Plays the sound for the next timer of a sequence. */
  transition(node) {
    if (settings.get('sound') && groupOf(node)?.transition !== 'none') this.#beep([[0, BEEP]]);
  }

  #beginAlarm(node) {
    const group = groupOf(node);
    if (group?.sound === 'none') return;
    const isFelt = settings.get('vibration') && group?.alarm !== 'sound';
    this.#alarm = { hasBuzzer: false, isFelt };
    if (isFelt) {
      const times = Math.ceil(FOR / (ON + OFF)) * 2;
      navigator.vibrate?.(Array.from({ length: times }, (_, place) => (place % 2 ? OFF : ON) * 1000));
    }
    if (!settings.get('sound') || group?.alarm === 'vibrate') return;
    const beeps = [];
    for (let at = 0; at < FOR; at += ON + OFF) beeps.push([at, ON]);
    this.#beep(beeps);
  }

  #endAlarm() {
    if (!this.#alarm) return;
    if (this.#alarm.isFelt) navigator.vibrate?.(0);
    this.#alarm = null;
    this.#silence();
  }

  #beep(beeps) {
    this.arm();
    if (this.#context?.state !== 'running') return;
    this.#silence();
    const begin = this.#context.currentTime;
    const tone = new OscillatorNode(this.#context, { type: 'square', frequency: 880 });
    const volume = new GainNode(this.#context, { gain: 0 });
    for (const [at, length] of beeps) {
      volume.gain.setTargetAtTime(0.3, begin + at, 0.005);
      volume.gain.setTargetAtTime(0, begin + at + length, 0.005);
    }
    tone.connect(volume).connect(this.#context.destination);
    const [last, length] = beeps.at(-1);
    tone.start(begin);
    tone.stop(begin + last + length + 0.1);
    this.#tone = tone;
    tone.addEventListener('ended', () => { if (this.#tone === tone) this.#tone = null; });
  }

  #silence() {
    this.#tone?.stop();
    this.#tone = null;
  }
}
