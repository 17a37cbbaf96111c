/** What is known for foretelling the end of a training. */
export interface EtaFacts {
  /** From 0. */
  readonly epoch: number | undefined;
  readonly epochs: number | undefined;
  /** Of the epoch that runs, in seconds, by its bar. */
  readonly elapsed: number | undefined;
  readonly remaining: number | undefined;
  /** Measured by TAO at the end of an epoch, validation included. */
  readonly secondsPerEpoch: number | undefined;
  /** TAO's own, as of the end of that epoch. */
  readonly told: { readonly seconds: number; readonly epoch: number } | undefined;
}

/** How long an epoch takes: as TAO measured it, else as the bar of the one that runs foretells. */
export function epochSeconds({ secondsPerEpoch, elapsed, remaining }: EtaFacts): number | undefined {
  return (
    secondsPerEpoch ?? (elapsed === undefined || remaining === undefined ? undefined : elapsed + remaining)
  );
}

/** Seconds to the end of the training; undefined while too little is known. */
export function etaSeconds(facts: EtaFacts): number | undefined {
  const { epoch, epochs, remaining, told } = facts;
  const perEpoch = epochSeconds(facts);
  if (epoch !== undefined && epochs !== undefined && perEpoch !== undefined) {
    const later = Math.max(0, epochs - 1 - epoch) * perEpoch;
    if (remaining !== undefined) {
      return later + remaining;
    }
    if (told !== undefined && told.epoch === epoch) {
      return told.seconds;
    }
  }
  return told?.seconds;
}
