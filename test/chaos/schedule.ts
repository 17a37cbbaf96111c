import { Random } from './random.ts';

export type Route = 'exec' | 'ssh';

/** A job that a schedule submits. Its key stands in its id or in its command, and names its folder of data. */
export interface PlannedJob {
  readonly key: string;
  readonly kind: 'container' | 'command';
  readonly exitCode: number;
  /** Whether its program ends by itself when it is asked to. */
  readonly obeysTerm: boolean;
  readonly withSecrets: boolean;
  /** After how long it is submitted. */
  readonly afterMs: number;
  readonly pauseMs: number;
  readonly outputSeed: number;
}

/** When a fault strikes: a while after the submission, when the job reaches a step, or when its log has so many bytes. */
export type Trigger =
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'step'; readonly step: string; readonly ms: number }
  | { readonly kind: 'bytes'; readonly bytes: number };

export type FaultKind =
  | 'kill-ssh'
  | 'kill-master'
  | 'drop-connections'
  | 'kill-cli'
  | 'kill-cli-group'
  | 'replay-exec'
  | 'freeze-cli'
  | 'freeze-supervisor'
  | 'freeze-window'
  | 'kill-supervisor'
  | 'terminate-supervisor'
  | 'kill-docker-client'
  | 'kill-remote-shell'
  | 'kill-window'
  | 'close-window'
  | 'second-window'
  | 'stop-and-start'
  | 'reboot'
  | 'delete-container'
  | 'full-disk'
  | 'full-local-disk'
  | 'leap-clock'
  | 'cancel'
  | 'list-fails'
  | 'sign-out'
  | 'docker-down'
  | 'pull-hiccup';

export interface PlannedFault {
  readonly kind: FaultKind;
  /** The index of the job that it aims at. */
  readonly job: number;
  readonly trigger: Trigger;
  /** How long it lasts, where it lasts. */
  readonly ms: number;
  /** For whatever else it has to choose. */
  readonly seed: number;
}

export interface Schedule {
  readonly seed: number;
  readonly route: Route;
  readonly jobs: readonly PlannedJob[];
  readonly faults: readonly PlannedFault[];
}

/** How often each fault is chosen, relative to the others. */
const WEIGHTS: readonly (readonly [FaultKind, number])[] = [
  ['kill-ssh', 3],
  ['kill-master', 2],
  ['drop-connections', 3],
  ['kill-cli', 3],
  ['kill-cli-group', 2],
  ['replay-exec', 4],
  ['freeze-cli', 1],
  ['freeze-supervisor', 1],
  ['freeze-window', 1],
  ['kill-supervisor', 6],
  ['terminate-supervisor', 2],
  ['kill-docker-client', 5],
  ['kill-remote-shell', 3],
  ['kill-window', 5],
  ['close-window', 2],
  ['second-window', 3],
  ['stop-and-start', 2],
  ['reboot', 3],
  ['delete-container', 1],
  ['full-disk', 2],
  ['full-local-disk', 1],
  ['leap-clock', 1],
  ['cancel', 5],
  ['list-fails', 1],
  ['sign-out', 3],
  ['docker-down', 1],
  ['pull-hiccup', 1],
];
const STEPS = ['launch', 'docker', 'login', 'pull', 'create', 'run', 'run', 'run', 'end'] as const;

/** The schedule of a seed. The same seed plans the same; how it goes is up to the real processes. */
export function planSchedule(seed: number, routes: Route | 'both'): Schedule {
  const random = new Random(seed);
  const own = random.pick<Route>(['exec', 'ssh']);
  const jobs = Array.from({ length: random.chance(0.25) ? 2 : 1 }, (_, index) => planJob(random, index));
  const faults = Array.from({ length: random.pick([0, 1, 1, 2, 2, 3, 3, 4, 6, 9]) }, () =>
    planFault(random, jobs.length),
  );
  return { seed, route: routes === 'both' ? own : routes, jobs, faults };
}

function planJob(random: Random, index: number): PlannedJob {
  return {
    key: `k${index}x${random.between(1_000, 9_999)}`,
    kind: random.chance(0.8) ? 'container' : 'command',
    exitCode: random.pick([0, 0, 0, 1, 3]),
    obeysTerm: random.chance(0.5),
    withSecrets: random.chance(0.8),
    afterMs: index * random.between(0, 500),
    pauseMs: random.pick([0, 20, 60, 60, 150]),
    outputSeed: random.between(0, 1_000_000_000),
  };
}

function planFault(random: Random, jobs: number): PlannedFault {
  return {
    kind: planKind(random),
    job: random.between(0, jobs - 1),
    trigger: planTrigger(random),
    ms: random.between(100, 1_500),
    seed: random.between(0, 1_000_000_000),
  };
}

function planKind(random: Random): FaultKind {
  let left = random.next() * WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [kind, weight] of WEIGHTS) {
    left -= weight;
    if (left < 0) return kind;
  }
  return 'kill-ssh';
}

function planTrigger(random: Random): Trigger {
  switch (random.pick(['time', 'step', 'step', 'bytes'])) {
    case 'time':
      return { kind: 'time', ms: random.between(0, 2_500) };
    case 'step':
      return { kind: 'step', step: random.pick(STEPS), ms: random.pick([0, 0, 20, 100, 400]) };
    default:
      return { kind: 'bytes', bytes: random.between(1, 200_000) };
  }
}
