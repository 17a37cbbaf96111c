import { rmSync } from 'node:fs';
import * as z from 'zod/mini';
import { nodeGroups, nodes, shapes, workspaceInfo } from './catalogue.ts';
import { type Behaviour, jobRequest, SimJob, type Timings } from './job.ts';
import type { Replica } from './replica.ts';

/** What a call gets: JSON, an error, or a replica's output as it grows. */
export type Answer =
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'error'; readonly status: number; readonly message: string }
  | { readonly kind: 'log'; readonly replica: Replica };

const secretItems = z.array(z.object({ name: z.string(), value: z.string() }));
const stopRequest = z.object({ spec: z.object({ stopped: z.boolean() }) });
const NAME = /^[a-z][a-z0-9-]{0,35}$/;

/** A workspace's jobs, secrets and nodes, and what its REST interface answers. */
export class Workspace {
  readonly id: string;
  readonly jobs = new Map<string, SimJob>();
  readonly secrets = new Map<string, string>();
  readonly #timings: Timings;
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #programs: string | undefined;
  #made = 0;

  constructor(id: string, timings: Timings, programs?: string) {
    this.#programs = programs;
    this.id = id;
    this.#timings = timings;
  }

  /** How jobs of this name behave from now on. */
  behave(name: string, behaviour: Behaviour): void {
    this.#behaviours.set(name, behaviour);
  }

  answer(method: string, path: string, query: URLSearchParams, body: unknown): Answer {
    const [first = '', second, third, fourth, fifth] = path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
    switch (`${method} ${first}`) {
      case 'GET workspace':
        return json(workspaceInfo(this.id));
      case 'GET tokens':
        return json([]);
      case 'GET dedicated-node-groups':
        return this.#nodeGroups(second, third);
      case 'GET shapes':
        return json(shapesIn(query.get('node_groups')));
      case 'GET usersecrets':
        return json(
          [...this.secrets.keys()].map((name) => ({ name, owner: 'someone', visibility: 'private' })),
        );
      case 'POST usersecrets':
        return this.#addSecrets(body);
      case 'DELETE usersecrets':
        this.secrets.delete(second ?? '');
        return json({});
      case 'GET logs':
        return this.#storedLog(query);
      case 'POST jobs':
        return this.#create(body);
      case 'GET jobs':
        return second === undefined ? this.#list(query) : this.#job(second, third, fourth, fifth);
      case 'PATCH jobs':
        return this.#patch(second, body);
      case 'DELETE jobs':
        return this.#remove(second);
      case 'GET ':
        return json({ display_name: this.id, workspace_id: this.id });
      default:
        return missing(path);
    }
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const job of this.jobs.values()) this.#bury(job);
    this.jobs.clear();
  }

  #create(body: unknown): Answer {
    const parsed = z.safeParse(jobRequest, body);
    const name = parsed.success ? (parsed.data.metadata.id ?? parsed.data.metadata.name ?? '') : '';
    if (!parsed.success || !NAME.test(name))
      return { kind: 'error', status: 400, message: `invalid job name "${name}"` };
    if (!shapes.some(({ metadata }) => metadata.id === parsed.data.spec.resource_shape)) {
      return {
        kind: 'error',
        status: 400,
        message: `unknown resource shape ${parsed.data.spec.resource_shape}`,
      };
    }
    this.#made++;
    // the same name twice makes two jobs: only the ids differ
    const id = `${name}-${(46_655 + this.#made * 7_919).toString(36).slice(-4)}`;
    const job = new SimJob(id, name, parsed.data, {
      workspaceId: this.id,
      secrets: this.secrets,
      ...(this.#programs === undefined ? {} : { programs: this.#programs }),
      behaviour: () => this.#behaviours.get(name) ?? {},
      timings: this.#timings,
      after: (ms, callback) => this.#after(ms, callback),
    });
    this.jobs.set(id, job);
    job.begin();
    return json(job.toJson());
  }

  #list(query: URLSearchParams): Answer {
    const page = Number(query.get('page') ?? '1');
    const size = Number(query.get('page_size') ?? '500');
    const q = query.get('q') ?? '';
    const found = [...this.jobs.values()].filter(({ name }) => name.includes(q)).reverse();
    return json({
      jobs: found.slice((page - 1) * size, page * size).map((job) => job.toJson()),
      total: found.length,
    });
  }

  #job(id: string, part: string | undefined, replica: string | undefined, log: string | undefined): Answer {
    const job = this.jobs.get(id);
    if (job === undefined) return missing(id);
    switch (part) {
      case undefined:
        return json(job.toJson());
      case 'events':
        return json(job.events);
      case 'replicas': {
        if (replica === undefined) return json(job.replicas.map(replicaJson));
        const found = job.replicas.find((one) => one.id === replica);
        return found === undefined || log !== 'log' ? missing(replica) : { kind: 'log', replica: found };
      }
      default:
        return missing(part);
    }
  }

  #patch(id: string | undefined, body: unknown): Answer {
    const job = this.jobs.get(id ?? '');
    if (job === undefined) return missing(id ?? '');
    const parsed = z.safeParse(stopRequest, body);
    if (!parsed.success) return { kind: 'error', status: 400, message: 'nothing that can be changed' };
    if (parsed.data.spec.stopped) job.stop();
    return json(job.toJson());
  }

  #remove(id: string | undefined): Answer {
    const job = this.jobs.get(id ?? '');
    if (job === undefined) return missing(id ?? '');
    this.#bury(job);
    this.jobs.delete(job.id);
    return json({});
  }

  #bury(job: SimJob): void {
    job.kill();
    rmSync(job.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #storedLog(query: URLSearchParams): Answer {
    const job = this.jobs.get(query.get('job') ?? '');
    if (job === undefined) return missing(query.get('job') ?? '');
    const start = BigInt(query.get('start') ?? '0');
    const end = BigInt(query.get('end') ?? '0');
    const limit = Number(query.get('limit') ?? '10000');
    const replica = query.get('replica');
    const lines = job.replicas
      .filter(({ id }) => replica === null || id === replica)
      .flatMap(({ id, lines: stored }) => stored.map((line) => ({ id, ...line })))
      .filter(({ nanoseconds }) => nanoseconds >= start && nanoseconds < end)
      .sort((a, b) => Number(a.nanoseconds - b.nanoseconds))
      .slice(0, limit);
    const result = job.replicas.map(({ id }) => ({
      stream: { replica: id },
      values: lines
        .filter((line) => line.id === id)
        .map(({ nanoseconds, line }) => [String(nanoseconds), line]),
    }));
    return json({
      status: 'success',
      data: { resultType: 'streams', result: result.filter(({ values }) => values.length > 0) },
    });
  }

  #nodeGroups(group: string | undefined, part: string | undefined): Answer {
    if (group === undefined) return json(nodeGroups);
    const found = nodeGroups.find(({ metadata }) => metadata.id === group);
    if (found === undefined) return missing(group);
    if (part === undefined) return json(found);
    return part === 'nodes' ? json(nodes[group] ?? []) : json([]);
  }

  #addSecrets(body: unknown): Answer {
    const parsed = z.safeParse(secretItems, body);
    if (!parsed.success) return { kind: 'error', status: 400, message: 'no secrets' };
    for (const { name, value } of parsed.data) this.secrets.set(name, value);
    return json({});
  }

  #after(ms: number, callback: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      callback();
    }, ms);
    this.#timers.add(timer);
  }
}

function shapesIn(group: string | null): readonly object[] {
  return group === null ? shapes : shapes.filter(({ spec }) => spec.node_group_id === group);
}

function replicaJson({ id, node }: Replica): object {
  return { id, metadata: { id, name: id }, status: { node: { id: node, name: node }, domains: [] } };
}

function json(body: unknown): Answer {
  return { kind: 'json', body };
}

function missing(what: string): Answer {
  return { kind: 'error', status: 404, message: `not found: ${what}` };
}
