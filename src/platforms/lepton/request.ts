import { errorCode } from '../../process/errorCode.ts';
import type { Failure } from '../../values/failure.ts';
import { cancelled, failed, type Outcome, ok } from '../../values/outcome.ts';
import type { LeptonAccount } from './account.ts';
import { offline, refused, timedOut, unreadable } from './failures.ts';

export interface LeptonCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the workspace's base, with its query. */
  readonly path: string;
  readonly body?: unknown;
}

export interface LeptonTransport {
  readonly account: LeptonAccount;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
}

/** The answer's JSON is read up to here; 10000 lines of a log are some megabytes. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_DETAIL = 4_000;

/** One call with an answer in JSON, within the time limit. */
export async function request(
  transport: LeptonTransport,
  call: LeptonCall,
  signal: AbortSignal,
): Promise<Outcome<unknown>> {
  const limit = AbortSignal.timeout(transport.timeoutMs);
  try {
    const response = await send(transport, call, AbortSignal.any([signal, limit]));
    const text = await readText(response);
    if (!response.ok) {
      return failed(refused(response.status, withoutToken(transport, text)));
    }
    return text.trim() === '' ? ok(undefined) : parse(transport, text);
  } catch (error) {
    return signal.aborted ? cancelled : failed(silence(error, limit, transport.timeoutMs));
  }
}

/** A text that goes on until the service closes it. The time limit counts for the answer's beginning only. */
export async function openStream(
  transport: LeptonTransport,
  path: string,
  signal: AbortSignal,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), transport.timeoutMs);
  try {
    const response = await send(transport, { method: 'GET', path }, AbortSignal.any([signal, limit.signal]));
    if (!response.ok) {
      return failed(refused(response.status, withoutToken(transport, await readText(response))));
    }
    return ok(response.body ?? new Blob([]).stream());
  } catch (error) {
    return signal.aborted ? cancelled : failed(silence(error, limit.signal, transport.timeoutMs));
  } finally {
    clearTimeout(timer);
  }
}

function send(transport: LeptonTransport, call: LeptonCall, signal: AbortSignal): Promise<Response> {
  const { account, fetch } = transport;
  return fetch(account.url + call.path, {
    method: call.method,
    headers: {
      Authorization: `Bearer ${account.token}`,
      Accept: 'application/json',
      ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    // the token is for one host: it isn't carried elsewhere
    redirect: 'manual',
    signal,
  });
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) {
      break;
    }
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(transport: LeptonTransport, text: string): Outcome<unknown> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) {
      return failed(unreadable(withoutToken(transport, text)));
    }
    throw error;
  }
}

function silence(error: unknown, limit: AbortSignal, timeoutMs: number): Failure {
  const code = systemCode(error);
  return limit.aborted || /TIMEDOUT|TIMEOUT/.test(code)
    ? timedOut(Math.round(timeoutMs / 1_000))
    : offline(code);
}

/** A server may repeat the request in its error page. */
function withoutToken({ account }: LeptonTransport, text: string): string {
  return text.replaceAll(account.token, '***').slice(0, MAX_DETAIL);
}

/** The code of a failed fetch. The message isn't used: it may hold headers. */
function systemCode(error: unknown): string {
  const code = errorCode(error) ?? '';
  return /^[A-Z][A-Z0-9_]*$/.test(code) ? code : '';
}
