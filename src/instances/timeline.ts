import type { Instance } from './instance.ts';
import { isInTransition, isOn } from './instance.ts';

/** The signals on the way to a usable instance, in the order in which they usually come. */
export const stages = ['created', 'provisioning', 'running', 'built', 'shell', 'ready'] as const;
export type Stage = (typeof stages)[number];

/** When each signal was first seen, in milliseconds since the epoch; what is missing hasn't been seen. */
export type Timeline = Readonly<Partial<Record<Stage, number>>>;

/** Adds what an instance shows now. A signal that went away keeps its first time: the row itself shows the present. */
export function advance(timeline: Timeline, instance: Instance, now: number): Timeline {
  const seen: Partial<Record<Stage, number>> = { ...timeline };
  const note = (stage: Stage, is: boolean): void => {
    if (is) {
      seen[stage] ??= now;
    }
  };
  note('created', true);
  note(
    'provisioning',
    isInTransition(instance) && instance.status !== 'stopping' && instance.status !== 'deleting',
  );
  note('running', isOn(instance));
  note('built', instance.reported.build === 'COMPLETED');
  note('shell', instance.reported.shell === 'READY');
  return seen;
}

/** What contradicts a ready instance, or is missing for one, as the CLI reports it. */
export type Doubt = 'buildMissing' | 'buildUnfinished' | 'buildFailed' | 'shellNotReady' | 'unhealthy';

/** The doubts about an instance that is on (users.md A: RUNNING with an empty build for ever; D: two authorities). */
export function doubts(instance: Instance): readonly Doubt[] {
  if (!isOn(instance)) {
    return [];
  }
  const { build, shell } = instance.reported;
  const found: Doubt[] = [];
  if (build === '') {
    found.push('buildMissing');
  } else if (build === 'CREATE_FAILED') {
    found.push('buildFailed');
  } else if (build !== 'COMPLETED') {
    found.push('buildUnfinished');
  }
  if (shell !== 'READY' && build === 'COMPLETED') {
    found.push('shellNotReady');
  }
  if (instance.status === 'unhealthy' || instance.reported.health === 'UNHEALTHY') {
    found.push('unhealthy');
  }
  return found;
}
