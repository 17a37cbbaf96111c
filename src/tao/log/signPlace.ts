/** What is known about the line that a sign of trouble stands in. */
export interface SignPlace {
  readonly rank: number | undefined;
  /** Nothing of the program has been seen: docker is at work. */
  readonly isBeforeRun: boolean;
}
