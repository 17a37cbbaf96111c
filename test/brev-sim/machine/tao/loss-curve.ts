/** A small seeded generator (mulberry32): the same job plays the same numbers. */
export function seededRandom(seedText: string): () => number {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(seedText)) state = Math.imul(state ^ byte, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The figures of a training that goes well: a falling, noisy loss, and what follows from it. */
export class LossCurve {
  private readonly random: () => number;
  private readonly start: number;
  private readonly floor: number;
  private readonly pace: number;
  private readonly totalSteps: number;

  constructor(seed: string, totalSteps: number) {
    this.random = seededRandom(seed);
    this.start = 0.7 + this.random() * 1.2;
    this.floor = 0.02 + this.random() * 0.08;
    this.pace = 4 + this.random() * 3;
    this.totalSteps = Math.max(1, totalSteps);
  }

  private ideal(step: number): number {
    return this.floor + (this.start - this.floor) * Math.exp((-this.pace * step) / this.totalSteps);
  }

  private noisy(value: number, amount: number): number {
    return value * (1 + (this.random() - 0.5) * amount);
  }

  trainLoss(step: number): number {
    return this.noisy(this.ideal(step), 0.25);
  }

  validationLoss(step: number): number {
    return this.noisy(this.ideal(step) * 1.15 + 0.01, 0.12);
  }

  /** Between 0 and 1, rising as the loss falls. */
  metric(step: number): number {
    const fallen = 1 - this.ideal(step) / this.start;
    return Math.min(0.999, Math.max(0.01, this.noisy(0.25 + 0.7 * fallen, 0.04)));
  }

  /** Cosine from the given rate to nearly nothing. */
  learningRate(step: number, base: number): number {
    return (
      base * 0.5 * (1 + Math.cos((Math.PI * Math.min(step, this.totalSteps)) / (this.totalSteps * 1.02)))
    );
  }
}
