import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Fault, Faults } from './faults.ts';
import type { Behaviour, SimJob, Timings } from './job.ts';
import { streamLog } from './stream.ts';
import { type Answer, Workspace } from './workspace.ts';

export type { Fault } from './faults.ts';
export type { Behaviour, SimJob } from './job.ts';

export interface Call {
  readonly method: string;
  /** Below the workspace's base, without query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly authorization: string;
}

export interface LeptonSim {
  readonly workspaceId: string;
  readonly token: string;
  /** The base of the REST interface. */
  readonly url: string;
  /** The jobs, the oldest first. */
  readonly jobs: () => readonly SimJob[];
  readonly calls: readonly Call[];
  /** Replaces the faults. */
  readonly fail: (...faults: readonly Fault[]) => void;
  readonly behave: (jobName: string, behaviour: Behaviour) => void;
  readonly secrets: Map<string, string>;
  /** Ends all that runs, with the server. */
  readonly dispose: () => Promise<void>;
}

export interface LeptonSimOptions {
  readonly workspaceId?: string;
  readonly token?: string;
  /** A folder with what images have on their PATH, before this computer's programs. */
  readonly programs?: string;
  /** How many times faster than in reality states change: queueing 5 s, starting 20 s, stopping 10 s. */
  readonly speed?: number;
}

/** Starts a simulated Lepton workspace on a free loopback port. */
export async function startLeptonSim(options: LeptonSimOptions = {}): Promise<LeptonSim> {
  const { workspaceId = 'ws1', token = 'lepton-token-0123456789', speed = 10_000 } = options;
  const workspace = new Workspace(workspaceId, timingsAt(speed), options.programs);
  const faults = new Faults();
  const calls: Call[] = [];
  const base = `/api/v2/workspaces/${workspaceId}`;
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(asError(error)));
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://sim');
    const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) || '/' : undefined;
    const call: Call = {
      method: request.method ?? 'GET',
      path: path ?? url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: await readBody(request),
      authorization: request.headers.authorization ?? '',
    };
    calls.push(call);
    const fault = faults.next(call.method, call.path);
    if (fault !== undefined && spoilt(response, fault)) return;
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    if (call.authorization !== `Bearer ${token}`) {
      sendError(response, 401, 'Unauthorized');
      return;
    }
    const answer: Answer =
      path === undefined
        ? { kind: 'error', status: 404, message: 'no such workspace' }
        : workspace.answer(call.method, path, url.searchParams, call.body);
    if (fault?.kind === 'doneButStatus') sendError(response, fault.status, 'upstream trouble');
    else if (fault?.kind === 'doneButReset') response.destroy();
    else send(response, answer, fault);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    workspaceId,
    token,
    url: `http://127.0.0.1:${address.port}${base}`,
    jobs: () => [...workspace.jobs.values()],
    calls,
    fail: (...list) => faults.set(list),
    behave: (name, behaviour) => workspace.behave(name, behaviour),
    secrets: workspace.secrets,
    dispose: async () => {
      workspace.dispose();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function timingsAt(speed: number): Timings {
  return { queueMs: 5_000 / speed, startMs: 20_000 / speed, stopMs: 10_000 / speed };
}

/** Whether the fault has answered in the call's place. */
function spoilt(response: ServerResponse, fault: Fault['what']): boolean {
  switch (fault.kind) {
    case 'status':
      response.writeHead(fault.status, { 'content-type': 'application/json' });
      response.end(fault.body ?? JSON.stringify({ code: 'Error', message: `status ${fault.status}` }));
      return true;
    case 'hang':
      return true;
    case 'reset':
      response.destroy();
      return true;
    case 'invalidJson':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"jobs": [');
      return true;
    case 'redirect':
      response.writeHead(302, { location: fault.to });
      response.end();
      return true;
    case 'doneButStatus':
    case 'doneButReset':
    case 'slow':
    case 'drop':
    case 'rotated':
      return false;
  }
}

function send(response: ServerResponse, answer: Answer, fault: Fault['what'] | undefined): void {
  switch (answer.kind) {
    case 'json':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
      break;
    case 'error':
      sendError(response, answer.status, answer.message);
      break;
    case 'log':
      streamLog(response, answer.replica, fault);
      break;
  }
}

function sendError(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ code: 'Error', message }));
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
