import * as z from 'zod/mini';
import { failed, type Outcome, ok, then } from '../../values/outcome.ts';
import { answers, readable, rowsOf } from './answers.ts';
import { unreadable } from './failures.ts';
import type { LeptonJobBody } from './jobBody.ts';
import { type LeptonCall, type LeptonTransport, openStream, request } from './request.ts';

export interface LeptonJob {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The id of our own job, from its label; undefined where the service keeps no labels. */
  readonly ourId: string | undefined;
  readonly nodes: number;
}

export interface LeptonEvent {
  readonly reason: string;
  readonly message: string;
}

/** What one node of a job gets. */
export interface LeptonShape {
  readonly id: string;
  /** Undefined where it has none, or the service doesn't name it. */
  readonly accelerator: string | undefined;
  readonly accelerators: number;
  readonly cores: number | undefined;
  readonly memoryMib: number | undefined;
}

export interface LeptonNode {
  readonly id: string;
  readonly schedulable: boolean;
  /** Undefined where the service doesn't tell. */
  readonly freeAccelerators: number | undefined;
}

export interface LogLine {
  readonly nanoseconds: bigint;
  readonly line: string;
}

/** Which of our jobs a Lepton job is. */
export const JOB_LABEL = 'tao-job-id';
const PAGE_SIZE = 500;
/** More pages than a workspace can have: a service that repeats one page must not keep us. */
const MOST_PAGES = 100;
export const LOG_LIMIT = 10_000;
const ALL = 'alive_and_archive';

/**
 * NVIDIA DGX Cloud Lepton by the REST interface that its own client uses. The `lep` CLI can't be trusted for this: it
 * has no JSON, wraps and eats what stands in brackets, ends with 0 where a job file is missing or a log broke off,
 * and hangs for a minute on a bad token (tao.md part 4).
 */
export class LeptonClient {
  readonly #transport: LeptonTransport;

  constructor(transport: LeptonTransport) {
    this.#transport = transport;
  }

  get workspaceId(): string {
    return this.#transport.account.workspaceId;
  }

  /** Whether the token is accepted; the answer itself isn't needed. */
  async probe(signal: AbortSignal): Promise<Outcome<void>> {
    return then(await this.#call({ method: 'GET', path: '/workspace' }, signal), () => ok(undefined));
  }

  async create(body: LeptonJobBody, signal: AbortSignal): Promise<Outcome<LeptonJob>> {
    return then(await this.#call({ method: 'POST', path: '/jobs', body }, signal), readJob);
  }

  async job(id: string, signal: AbortSignal): Promise<Outcome<LeptonJob>> {
    const path = `/jobs/${encodeURIComponent(id)}?job_query_mode=${ALL}`;
    return then(await this.#call({ method: 'GET', path }, signal), readJob);
  }

  /** Jobs of exactly this name, the oldest first. Lepton gives each an id of its own, so there may be several. */
  async jobsNamed(name: string, signal: AbortSignal): Promise<Outcome<readonly LeptonJob[]>> {
    const all = new Map<string, LeptonJob>();
    for (let page = 1; page <= MOST_PAGES; page++) {
      const query = new URLSearchParams({
        job_query_mode: ALL,
        q: name,
        page: String(page),
        page_size: String(PAGE_SIZE),
      });
      const rows = then(await this.#call({ method: 'GET', path: `/jobs?${query}` }, signal), listed('jobs'));
      if (rows.kind !== 'ok') {
        return rows;
      }
      const before = all.size;
      for (const job of readable(rows.value, answers.job).map(toJob)) {
        all.set(job.id, job);
      }
      // an empty page is the last one; the service may give fewer rows a page than were asked for
      if (all.size === before) {
        break;
      }
    }
    const found = [...all.values()].filter((job) => job.name === name);
    return ok(found.sort((a, b) => a.createdAt - b.createdAt));
  }

  async stop(id: string, signal: AbortSignal): Promise<Outcome<void>> {
    const path = `/jobs/${encodeURIComponent(id)}`;
    const call: LeptonCall = { method: 'PATCH', path, body: { spec: { stopped: true } } };
    return then(await this.#call(call, signal), () => ok(undefined));
  }

  /** Removes a job with its log. */
  async remove(id: string, signal: AbortSignal): Promise<Outcome<void>> {
    const path = `/jobs/${encodeURIComponent(id)}?job_query_mode=alive_only`;
    return then(await this.#call({ method: 'DELETE', path }, signal), () => ok(undefined));
  }

  /** The ids of a job's replicas, ended ones too. */
  replicas(id: string, signal: AbortSignal): Promise<Outcome<readonly string[]>> {
    return this.#ids(`/jobs/${encodeURIComponent(id)}/replicas?job_query_mode=${ALL}`, 'replicas', signal);
  }

  async events(id: string, signal: AbortSignal): Promise<Outcome<readonly LeptonEvent[]>> {
    const path = `/jobs/${encodeURIComponent(id)}/events`;
    return then(then(await this.#call({ method: 'GET', path }, signal), listed('events')), (rows) =>
      ok(
        readable(rows, answers.event).map(({ reason, message }) => ({
          reason: reason ?? '',
          message: message ?? '',
        })),
      ),
    );
  }

  /** A replica's output from its beginning on, as it comes. */
  logStream(job: string, replica: string, signal: AbortSignal): Promise<Outcome<ReadableStream<Uint8Array>>> {
    const path = `/jobs/${encodeURIComponent(job)}/replicas/${encodeURIComponent(replica)}/log`;
    return openStream(this.#transport, path, signal);
  }

  /** The stored lines of a replica in [start, end), at most LOG_LIMIT of them, the oldest first. */
  async logLines(
    job: string,
    replica: string,
    range: { readonly start: bigint; readonly end: bigint },
    signal: AbortSignal,
  ): Promise<Outcome<readonly LogLine[]>> {
    const query = new URLSearchParams({
      start: String(range.start),
      end: String(range.end),
      timestamps: 'True',
      direction: 'forward',
      limit: String(LOG_LIMIT),
      q: '',
      job_query_mode: ALL,
      job,
      replica,
    });
    return then(await this.#call({ method: 'GET', path: `/logs?${query}` }, signal), readLines);
  }

  nodeGroups(signal: AbortSignal): Promise<Outcome<readonly string[]>> {
    return this.#ids('/dedicated-node-groups', 'dedicated_node_groups', signal);
  }

  /** What jobs may ask of a node group's nodes, or of any. */
  async shapes(nodeGroup: string | undefined, signal: AbortSignal): Promise<Outcome<readonly LeptonShape[]>> {
    const query = nodeGroup === undefined ? '' : `?${new URLSearchParams({ node_groups: nodeGroup })}`;
    const path = `/shapes${query}`;
    return then(then(await this.#call({ method: 'GET', path }, signal), listed('shapes')), (rows) =>
      ok(readable(rows, answers.shape).flatMap(toShape)),
    );
  }

  async nodes(nodeGroup: string, signal: AbortSignal): Promise<Outcome<readonly LeptonNode[]>> {
    const path = `/dedicated-node-groups/${encodeURIComponent(nodeGroup)}/nodes`;
    return then(then(await this.#call({ method: 'GET', path }, signal), listed('nodes')), (rows) =>
      ok(readable(rows, answers.node).map(toNode)),
    );
  }

  /** The names of the workspace's secrets; their values never leave it. */
  async secretNames(signal: AbortSignal): Promise<Outcome<readonly string[]>> {
    return then(
      then(await this.#call({ method: 'GET', path: '/usersecrets' }, signal), listed('secrets')),
      (rows) => ok(readable(rows, answers.secret).map(({ name }) => name)),
    );
  }

  /** Keeps a value in the workspace, readable by its owner's jobs only. */
  async createSecret(name: string, value: string, signal: AbortSignal): Promise<Outcome<void>> {
    const body = [{ name, value, visibility: 'private' }];
    return then(await this.#call({ method: 'POST', path: '/usersecrets', body }, signal), () =>
      ok(undefined),
    );
  }

  async #ids(path: string, key: string, signal: AbortSignal): Promise<Outcome<readonly string[]>> {
    return then(then(await this.#call({ method: 'GET', path }, signal), listed(key)), (rows) =>
      ok(
        readable(rows, answers.named).flatMap(({ metadata }) => {
          const id = metadata.id ?? metadata.name ?? '';
          return id === '' ? [] : [id];
        }),
      ),
    );
  }

  #call(call: LeptonCall, signal: AbortSignal): Promise<Outcome<unknown>> {
    return request(this.#transport, call, signal);
  }
}

function listed(key: string): (body: unknown) => Outcome<readonly unknown[]> {
  return (body) => {
    const rows = rowsOf(body, key);
    return rows === undefined ? failed(unreadable(`no list of ${key}`)) : ok(rows);
  };
}

function readJob(body: unknown): Outcome<LeptonJob> {
  const parsed = z.safeParse(answers.job, body);
  const job = parsed.success ? toJob(parsed.data) : undefined;
  return job === undefined || job.id === '' ? failed(unreadable('no job in the answer')) : ok(job);
}

function toJob({ metadata, spec, status }: z.output<typeof answers.job>): LeptonJob {
  const id = metadata.id ?? '';
  return {
    id,
    name: metadata.name ?? id,
    state: status?.state ?? '',
    createdAt: metadata.created_at ?? 0,
    ourId: metadata.labels?.[JOB_LABEL],
    nodes: spec?.completions ?? 1,
  };
}

function toShape({ metadata, spec }: z.output<typeof answers.shape>): readonly LeptonShape[] {
  const id = metadata.id ?? metadata.name ?? spec?.name ?? '';
  const usage = spec?.listable_in ?? undefined;
  // some are for endpoints or pods only
  return id === '' || (usage !== undefined && !usage.includes('job'))
    ? []
    : [
        {
          id,
          accelerator: spec?.accelerator_type ?? undefined,
          accelerators: spec?.accelerator_num ?? 0,
          cores: spec?.cpu ?? undefined,
          memoryMib: spec?.memory_in_mb ?? undefined,
        },
      ];
}

function toNode({ metadata, spec }: z.output<typeof answers.node>): LeptonNode {
  const gpu = spec?.resource?.gpu;
  return {
    id: metadata.id ?? metadata.name ?? '',
    schedulable: spec?.unschedulable !== true,
    freeAccelerators:
      gpu?.total === undefined || gpu.total === null || gpu.allocated === undefined || gpu.allocated === null
        ? undefined
        : gpu.total - gpu.allocated,
  };
}

function readLines(body: unknown): Outcome<readonly LogLine[]> {
  const parsed = z.safeParse(answers.history, body);
  if (!parsed.success) {
    return failed(unreadable('no lines of a log in the answer'));
  }
  const lines = (parsed.data.data.result ?? []).flatMap(({ values }) =>
    values.flatMap(([nanoseconds, line]) =>
      /^\d+$/.test(nanoseconds) ? [{ nanoseconds: BigInt(nanoseconds), line }] : [],
    ),
  );
  // stable, so that lines of one moment keep their order
  return ok(
    lines.sort((a, b) => (a.nanoseconds < b.nanoseconds ? -1 : a.nanoseconds > b.nanoseconds ? 1 : 0)),
  );
}
