import path from 'node:path';
import type * as z from 'zod/mini';
import { JobFolders } from '../../../src/jobs/jobFolder.ts';
import { RecordStore } from '../../../src/jobs/recordStore.ts';
import { SdkBridge, type SdkBridgeOptions } from '../../../src/platforms/brevSdk/sdkBridge.ts';
import { systemClock } from '../../../src/process/clock.ts';
import { Redactor } from '../../../src/process/redact.ts';
import { createRun, type Run } from '../../../src/process/run.ts';
import type { Outcome } from '../../../src/values/outcome.ts';
import type { PlanState } from '../../../src/workflow/planState.ts';
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

export function witnessedState(places: PlanPlaces, points: Points): StateStore {
  const file = new StateFile(stateOf(places));
  let last: PlanState | undefined;
  return {
    read: () => file.read(),
    write: (state) => {
      const what = changeOf(last, state);
      last = state;
      return points.around(`state ${what}`, FILE, () => file.write(state));
    },
  };
}

/** What a state says that the one before didn't. */
function changeOf(before: PlanState | undefined, after: PlanState): string {
  const steps = Object.entries(after.steps).flatMap(([name, { attempts, phase }]) => {
    const words = `${name} ${phase} ${attempts.length}${attempts.at(-1)?.end ?? ''}`;
    const known = before?.steps[name];
    const knownWords = `${name} ${known?.phase} ${known?.attempts.length}${known?.attempts.at(-1)?.end ?? ''}`;
    return words === knownWords ? [] : [words];
  });
  const machines = Object.entries(after.machines).flatMap(([name, { phase }]) =>
    before?.machines[name]?.phase === phase ? [] : [`machine of ${name} ${phase}`],
  );
  const ended = after.ended === before?.ended ? [] : [`ended ${after.ended}`];
  return before === undefined ? 'begun' : [...steps, ...machines, ...ended].join(', ');
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
