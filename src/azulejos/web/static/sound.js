// @ts-check
// Synthesised sounds without files: a few tones that fade out.
/** @type {AudioContext | null} */
let context = null;

/** @type {Record<string, [pitch: number, after: number, length: number][]>} */
const TUNES = {
  pick: [[660, 0, 0.05]],
  place: [[220, 0, 0.09], [330, 0.03, 0.07]],
  score: [[523, 0, 0.1], [659, 0.09, 0.1], [784, 0.18, 0.16]],
  turn: [[587, 0, 0.12], [880, 0.12, 0.2]],
  end: [[523, 0, 0.18], [659, 0.16, 0.18], [784, 0.32, 0.18], [1047, 0.48, 0.4]],
};

// Browsers let a page play sounds only after the user has interacted with it.
addEventListener("pointerdown", wake, { once: true });
addEventListener("keydown", wake, { once: true });

function wake() {
  context ??= new AudioContext();
}

/** @param {string} name */
export function sound(name) {
  if (!context || document.documentElement.dataset.sound === "off") return;
  for (const [pitch, after, length] of TUNES[name]) {
    const start = context.currentTime + after;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.16, start + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + length + 0.12);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + length + 0.15);
  }
}
