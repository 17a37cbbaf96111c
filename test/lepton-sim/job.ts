import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod/mini';
import { Replica } from './replica.ts';

const variable = z.object({
  name: z.string(),
  value: z.optional(z.nullable(z.string())),
  value_from: z.optional(z.nullable(z.object({ secret_name_ref: z.optional(z.nullable(z.string())) }))),
});

/** What creates a job; what the simulator doesn't look at is kept and given back. */
export const jobRequest = z.object({
  metadata: z.looseObject({
    id: z.optional(z.nullable(z.string())),
    name: z.optional(z.nullable(z.string())),
  }),
  spec: z.looseObject({
    resource_shape: z.optional(z.nullable(z.string())),
    container: z.optional(
      z.nullable(
        z.looseObject({
          image: z.optional(z.nullable(z.string())),
          command: z.optional(z.nullable(z.array(z.string()))),
        }),
      ),
    ),
    completions: z.optional(z.nullable(z.number())),
    parallelism: z.optional(z.nullable(z.number())),
    envs: z.optional(z.nullable(z.array(variable))),
  }),
});

export type JobRequest = z.infer<typeof jobRequest>;

/** How jobs of a name behave, other than running their command. */
export interface Behaviour {
  readonly queueForEver?: boolean;
  /** The index of a replica that fails at once with exit code 1. */
  readonly failingReplica?: number;
  /** The image can't be pulled. */
  readonly noImage?: boolean;
  /** The state that is told whatever the truth is. */
  readonly toldState?: string;
}

export interface Timings {
  readonly queueMs: number;
  readonly startMs: number;
  readonly stopMs: number;
}

export interface JobEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly regarding: Readonly<Record<string, string>>;
  readonly last_observed_time: string;
}

export interface JobSurroundings {
  readonly workspaceId: string;
  readonly secrets: ReadonlyMap<string, string>;
  readonly programs?: string;
  readonly behaviour: () => Behaviour;
  readonly timings: Timings;
  readonly after: (ms: number, callback: () => void) => void;
}

/** One job: its way through the states, and its replicas. */
export class SimJob {
  readonly id: string;
  readonly name: string;
  readonly createdAt = Date.now();
  readonly request: JobRequest;
  readonly events: JobEvent[] = [];
  readonly replicas: Replica[] = [];
  readonly folder = mkdtempSync(path.join(tmpdir(), 'lepton-job-'));
  readonly #around: JobSurroundings;
  #state = 'Queueing';
  #stopped = false;
  #completedAt: number | undefined;

  constructor(id: string, name: string, request: JobRequest, around: JobSurroundings) {
    this.id = id;
    this.name = name;
    this.request = request;
    this.#around = around;
  }

  get state(): string {
    return this.#state;
  }

  get nodes(): number {
    return this.request.spec.completions ?? 1;
  }

  get isOver(): boolean {
    return ['Completed', 'Failed', 'Stopped'].includes(this.#state);
  }

  begin(): void {
    this.#state = 'Queueing';
    this.#note('Normal', 'Queued', 'waits for nodes');
    this.#around.after(this.#around.timings.queueMs, () => {
      if (this.#state === 'Queueing' && !this.#around.behaviour().queueForEver) this.#start();
    });
  }

  /** A test's hand on the state. */
  setState(state: string): void {
    this.#state = state;
  }

  stop(): void {
    if (this.isOver || this.#state === 'Stopping') return;
    this.#stopped = true;
    this.#state = 'Stopping';
    this.#around.after(this.#around.timings.stopMs, () => {
      this.kill();
      this.#over('Stopped');
    });
  }

  kill(): void {
    for (const replica of this.replicas) {
      replica.kill();
      replica.end(137);
    }
  }

  toJson(): object {
    const codes = this.replicas.map(({ exitCode }) => exitCode);
    return {
      metadata: {
        ...this.request.metadata,
        id: this.id,
        name: this.name,
        created_at: this.createdAt,
        owner: 'someone@example.com',
        visibility: 'public',
      },
      spec: { ...this.request.spec, stopped: this.#stopped },
      status: {
        job_name: this.name,
        state: this.#around.behaviour().toldState ?? this.#state,
        ready: this.#state === 'Running' ? this.nodes : 0,
        active: codes.filter((code) => code === undefined).length,
        failed: codes.filter((code) => code !== undefined && code !== 0).length,
        succeeded: codes.filter((code) => code === 0).length,
        creation_time: this.createdAt,
        ...(this.#completedAt === undefined ? {} : { completion_time: this.#completedAt }),
        job_history: [],
      },
    };
  }

  #start(): void {
    this.#state = 'Starting';
    if (this.#around.behaviour().noImage) {
      this.#note('Warning', 'ErrImagePull', 'Failed to pull image: unauthorized: authentication required');
      this.#around.after(this.#around.timings.startMs, () => this.#over('Failed'));
      return;
    }
    this.#around.after(this.#around.timings.startMs, () => {
      if (this.#state === 'Starting') void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#state = 'Running';
    const { failingReplica } = this.#around.behaviour();
    for (let index = 0; index < this.nodes; index++) {
      this.replicas.push(
        new Replica(
          `${this.id}-${index}-${'abcdefgh'.slice(index % 4, (index % 4) + 5)}`,
          `node-${index + 1}`,
        ),
      );
    }
    const codes = await Promise.all(
      this.replicas.map((replica, index) => {
        if (index === failingReplica) {
          replica.write(Buffer.from('a failing replica\n'));
          return replica.end(1);
        }
        return replica.run(
          this.request.spec.container?.command ?? ['true'],
          this.#environment(index),
          path.join(this.folder, String(index)),
        );
      }),
    );
    if (this.#state === 'Running') this.#over(codes.every((code) => code === 0) ? 'Completed' : 'Failed');
  }

  #environment(index: number): Record<string, string> {
    const { programs, secrets, workspaceId } = this.#around;
    const given = (this.request.spec.envs ?? []).map(({ name, value, value_from }) => [
      name,
      value ?? secrets.get(value_from?.secret_name_ref ?? '') ?? '',
    ]);
    return {
      ...(programs === undefined ? {} : { PATH: `${programs}:${process.env.PATH ?? '/usr/bin:/bin'}` }),
      ...Object.fromEntries(given),
      LEPTON_JOB_NAME: this.id,
      LEPTON_JOB_SERVICE_PREFIX: this.id,
      LEPTON_JOB_TOTAL_WORKERS: String(this.nodes),
      LEPTON_JOB_WORKER_INDEX: String(index),
      LEPTON_SUBDOMAIN: `${this.id}-job-svc`,
      LEPTON_WORKSPACE_ID: workspaceId,
      LEPTON_RESOURCE_ACCELERATOR_NUM: '8',
    };
  }

  #over(state: 'Completed' | 'Failed' | 'Stopped'): void {
    this.#state = state;
    // after the last line of the log: the stored lines of a job are asked for up to here
    const last = this.replicas
      .flatMap(({ lines }) => lines)
      .map(({ nanoseconds }) => Number(nanoseconds / 1_000_000n));
    this.#completedAt = Math.max(Date.now(), ...last) + 1;
    this.#note(state === 'Failed' ? 'Warning' : 'Normal', state, `the job is ${state}`);
  }

  #note(type: string, reason: string, message: string): void {
    this.events.push({
      type,
      reason,
      message,
      count: 1,
      regarding: { kind: 'LeptonJob', name: this.id },
      last_observed_time: new Date().toISOString(),
    });
  }
}
