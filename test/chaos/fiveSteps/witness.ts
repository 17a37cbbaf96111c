import path from 'node:path';
import type * as z from 'zod/mini';
import { JobFolders } from '../../../src/jobs/jobFolder.ts';
import { RecordStore } from '../../../src/jobs/recordStore.ts';
import { SdkBridge, type SdkBridgeOptions } from '../../../src/platforms/brevSdk/sdkBridge.ts';
import { systemClock } from '../../../src/process/clock.ts';
import { Redactor } from '../../../src/process/redact.ts';
import { createRun, type Run } from '../../../src/process/run.ts';
import type { Outcome } from '../../../src/values/outcome.ts';
import type { PlanState, StepState } from '../../../src/workflow/planState.ts';
import { StateFile, type StateStore } from '../../../src/workflow/stateFile.ts';
import { type PlanPlaces, type PlanTools, recordsOf, stateOf } from '../../unit/workflow/planParts.ts';
import type { Points, Within } from './points.ts';

/** Files are written whole or not at all: there is no within. */
const FILE: Within = () => [];
/** Now at its beginning, now at its end. */
const CALL: Within = (before) => [[20, 45, 70, 95][before % 4] ?? 0];
const REQUEST: Within = () => [1];
/** The SDK makes several calls of the CLI for one request. */
const BRIDGE: Within = () => [100, 300, 500, 700, 900, 1_200];

/** The name of a job without what is new in each run of the plan. */
const nameOf = (jobId: string): string => jobId.split('-')[0] ?? '';

/** The parts' tools, with a point before and after each thing that is done with them. */
export function witnessedTools(places: PlanPlaces, points: Points): PlanTools {
  return {
    run: witnessedRun(points),
    records: new WitnessedRecords(recordsOf(places), points),
    folders: new WitnessedFolders(path.join(places.desk, 'jobs'), points),
    leptonFetch: witnessedFetch('lepton', points),
    s3Fetch: witnessedFetch('s3', points),
    bridge: (options) => new WitnessedBridge(options, points),
  };
}

/** What the steps have come to, as the state says it, is the stage that points belong to. */
export function witnessedState(places: PlanPlaces, points: Points): StateStore {
  const file = new StateFile(stateOf(places));
  let last: PlanState | undefined;
  return {
    read: () => file.read(),
    write: async (state) => {
      const steps = last === undefined ? [] : changedSteps(last, state);
      const machines = last === undefined ? [] : changedMachines(last, state);
      last = state;
      await points.around(`state ${[...steps, ...machines].join(', ')}`.trim(), FILE, () =>
        file.write(state),
      );
      if (steps.length > 0) points.stage = steps.join(', ');
    },
  };
}

function changedSteps(before: PlanState, after: PlanState): readonly string[] {
  const words = ({ attempts, phase }: StepState): string =>
    attempts.length === 0 ? phase : `${phase} ${attempts.at(-1)?.end ?? 'open'}`;
  return Object.entries(after.steps).flatMap(([name, step]) => {
    const known = before.steps[name];
    return known !== undefined && words(known) === words(step) ? [] : [`${name} ${words(step)}`];
  });
}

function changedMachines(before: PlanState, after: PlanState): readonly string[] {
  return Object.entries(after.machines).flatMap(([name, { phase }]) =>
    before.machines[name]?.phase === phase ? [] : [`machine of ${name} ${phase}`],
  );
}

function witnessedRun(points: Points): Run {
  const run = createRun();
  return (program, options) => {
    const [command, ...rest] = options.args;
    const instance = rest
      .slice(0, 2)
      .map((word) => /^(?:gpu1|flow)\b/.exec(word)?.[0])
      .find((word) => word !== undefined);
    return points.around(`brev ${command} ${instance ?? ''}`.trim(), CALL, () => run(program, options));
  };
}

function witnessedFetch(server: 'lepton' | 's3', points: Points): typeof globalThis.fetch {
  return (input, init) => {
    const request = new Request(input, init);
    const place = new URL(request.url).pathname
      .replace(/^.*\/workspaces\/\w+/, '')
      .replace(/\/(jobs|replicas)\/[^/]+/g, '/$1/*')
      .replace(/^\/bkt\/flow-\d+/, '')
      .replace(/[0-9a-f-]{36}|(?<=-)[0-9a-f]{6}\b/g, '*');
    return points.around(`${server} ${request.method} ${place}`, REQUEST, () =>
      globalThis.fetch(input, init),
    );
  };
}

class WitnessedRecords extends RecordStore {
  readonly #points: Points;

  constructor(folder: string, points: Points) {
    super(folder, systemClock, new Redactor());
    this.#points = points;
  }

  override open(job: Parameters<RecordStore['open']>[0]): ReturnType<RecordStore['open']> {
    return this.#points.around(`record ${nameOf(job.id)} opened`, FILE, () => super.open(job));
  }

  override withdraw(id: string): Promise<void> {
    return this.#points.around(`record ${nameOf(id)} withdrawn`, FILE, () => super.withdraw(id));
  }

  override mark(...args: Parameters<RecordStore['mark']>): ReturnType<RecordStore['mark']> {
    const [id, { state }] = args;
    return this.#points.around(`record ${nameOf(id)} ${state}`, FILE, () => super.mark(...args));
  }
}

class WitnessedFolders extends JobFolders {
  readonly #points: Points;

  constructor(root: string, points: Points) {
    super(root);
    this.#points = points;
  }

  override create(...args: Parameters<JobFolders['create']>): Promise<void> {
    const [{ id }] = args;
    return this.#points.around(`folder ${nameOf(id)} created`, FILE, () => super.create(...args));
  }

  override clear(id: string): Promise<void> {
    return this.#points.around(`folder ${nameOf(id)} cleared`, FILE, () => super.clear(id));
  }
}

class WitnessedBridge extends SdkBridge {
  readonly #points: Points;

  constructor(options: SdkBridgeOptions, points: Points) {
    super(options);
    this.#points = points;
  }

  override request<T>(
    method: string,
    params: Readonly<Record<string, unknown>>,
    answer: z.ZodMiniType<T>,
    onRegistered: (job: string) => void = () => undefined,
  ): Promise<Outcome<T>> {
    return this.#points.around(`bridge ${method}`, BRIDGE, () =>
      super.request(method, params, answer, (job) => {
        this.#points.seen('bridge registered');
        onRegistered(job);
      }),
    );
  }
}
