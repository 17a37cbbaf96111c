import { isTerminal, type Job } from './job.ts';

/** A time in which nothing of ours runs on an instance: it began when the last job there ended, however it ended. */
export interface IdlePeriod {
  readonly instanceId: string;
  /** The last job of ours there; another one that ends begins another period. */
  readonly jobId: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/**
 * The instances on which jobs of ours have run and none runs now. One whose state nobody knows may be running, and so
 * may one of somebody else: a job that is silent is not idle (users.md G, colab-vscode #184).
 */
export function idlePeriods(jobs: readonly Job[]): readonly IdlePeriod[] {
  const ours = jobs.filter(({ details, foreign }) => !foreign && details.platform !== 'lepton');
  return [...new Set(ours.map(({ details }) => details.instanceId))].flatMap((instanceId) => {
    const here = ours.filter(({ details }) => details.instanceId === instanceId);
    const names = new Set(here.map(({ details }) => details.instanceName));
    // of a record that others wrote only the name of its instance is known
    const others = jobs.filter(({ details, foreign }) => foreign && names.has(details.instanceName));
    const [first, ...more] = [...here].sort((a, b) => b.changedAt - a.changedAt);
    if (first === undefined || [...here, ...others].some(({ state }) => !isTerminal(state))) {
      return [];
    }
    const since = Math.max(...[first, ...more, ...others].map(({ changedAt }) => changedAt));
    return [{ instanceId, jobId: first.details.id, since }];
  });
}
