// A short tone, made here, so that nothing has to be loaded.

/** How long it may take until a browser says that it plays, in ms. */
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
    // Without ramps it would click.
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
