// A short tone, generated here, so that nothing needs to be loaded.

/** How long the browser may take to report that it is playing, in ms. */
const PATIENCE = 1000;

/** Plays a tone of a fifth of a second; resolves to whether the browser played it. */
export async function playTone(frequency = 880) {
  let context = null;
  try {
    context = new AudioContext();
    const late = new Promise((resolve) => { setTimeout(resolve, PATIENCE); });
    await Promise.race([context.resume(), late]);
    if (context.state !== 'running') return false;
    const volume = new GainNode(context, { gain: 0 });
    const tone = new OscillatorNode(context, { frequency });
    const now = context.currentTime;
    // Without ramps there would be audible clicks.
    volume.gain.linearRampToValueAtTime(0.2, now + 0.02);
    volume.gain.setValueAtTime(0.2, now + 0.18);
    volume.gain.linearRampToValueAtTime(0, now + 0.2);
    tone.connect(volume).connect(context.destination);
    tone.start(now);
    tone.stop(now + 0.22);
    tone.addEventListener('ended', () => context.close());
    return true;
  } catch {
    context?.close();
    return false;
  }
}
