// Sounds, made here by WebAudio and never before they are wanted.

import { settings } from "./settings.js";

let context = null;

function audio() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

function tone(at, { from, to = from, long, loud = 0.2, shape = "sine" }) {
  const a = audio();
  const [voice, level] = [a.createOscillator(), a.createGain()];
  voice.type = shape;
  voice.frequency.setValueAtTime(from, a.currentTime + at);
  voice.frequency.exponentialRampToValueAtTime(to, a.currentTime + at + long);
  level.gain.setValueAtTime(0.0001, a.currentTime + at);
  level.gain.exponentialRampToValueAtTime(loud, a.currentTime + at + 0.012);
  level.gain.exponentialRampToValueAtTime(0.0001, a.currentTime + at + long);
  voice.connect(level).connect(a.destination);
  voice.start(a.currentTime + at);
  voice.stop(a.currentTime + at + long + 0.02);
}

function noise(at, long, loud) {
  const a = audio();
  const buffer = a.createBuffer(1, a.sampleRate * long, a.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 2;
  const [source, filter, level] = [a.createBufferSource(), a.createBiquadFilter(), a.createGain()];
  source.buffer = buffer;
  filter.type = "lowpass";
  filter.frequency.value = 1800;
  level.gain.value = loud;
  source.connect(filter).connect(level).connect(a.destination);
  source.start(a.currentTime + at);
}

const SOUNDS = {
  slap: () => {
    noise(0, 0.04, 0.5);
    tone(0, { from: 150, to: 70, long: 0.11, loud: 0.35 });
  },
  shout: (step) => {
    const base = 220 * 1.12 ** step;
    tone(0, { from: base, long: 0.16, loud: 0.22, shape: "sawtooth" });
    tone(0.15, { from: base * 1.5, long: 0.34, loud: 0.22, shape: "sawtooth" });
  },
  turn: () => tone(0, { from: 880, to: 620, long: 0.09, loud: 0.18, shape: "triangle" }),
  seeds: () => [0, 0.11, 0.22].forEach((at) => noise(at, 0.02, 0.35)),
  win: () => [392, 523, 659].forEach((from, i) => tone(i * 0.14, { from, long: 0.3, loud: 0.2, shape: "triangle" })),
};

/** Play one, if they are wanted; `step` raises a shout. */
export function sound(name, step = 0) {
  if (settings.sound) SOUNDS[name](step);
}
