import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type * as z from 'zod/mini';
import { startCompanion } from '../../process/companion.ts';
import type { Failure } from '../../values/failure.ts';
import { message } from '../../values/message.ts';
import { failed, type Outcome, ok } from '../../values/outcome.ts';
import { bridgeLine } from './bridgeAnswers.ts';
import type { BridgePlaces } from './bridgeEnvironment.ts';
import { bridgeEnvironment } from './bridgeEnvironment.ts';

export interface SdkBridgeOptions extends BridgePlaces {
  /** The CLI's environment, which is the bridge's too, but for its secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Gets what the SDK logs, line by line; it must redact. */
  readonly log: (line: string) => void;
}

interface Waiting {
  readonly child: ChildProcess;
  readonly method: string;
  readonly settle: (outcome: Outcome<unknown>) => void;
  readonly onRegistered: (job: string) => void;
}

/** The TAO SDK in a Python process of its own, started by the first request, and again after it ended. */
export class SdkBridge {
  readonly #options: SdkBridgeOptions;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  #lastId = 0;

  constructor(options: SdkBridgeOptions) {
    this.#options = options;
  }

  /** Asks for one thing; the answer is checked. Requests are served at the same time, long ones don't hold others up. */
  async request<T>(
    method: string,
    params: Readonly<Record<string, unknown>>,
    answer: z.ZodMiniType<T>,
    onRegistered: (job: string) => void = () => undefined,
  ): Promise<Outcome<T>> {
    this.#lastId += 1;
    const id = this.#lastId;
    const outcome = await new Promise<Outcome<unknown>>((resolve) => {
      this.#child ??= this.#start();
      this.#waiting.set(id, { child: this.#child, method, settle: resolve, onRegistered });
      // what can't be written any more is told by the end of the process
      this.#child.stdin?.write(`${JSON.stringify({ id, method, params })}\n`);
    });
    if (outcome.kind !== 'ok') {
      return outcome;
    }
    const parsed = answer.safeParse(outcome.value);
    return parsed.success ? ok(parsed.data) : failed(unreadable(method, parsed.error.message));
  }

  /** Ends the process, after launches that are under way: without its stdin it goes by itself. */
  dispose(): void {
    this.#child?.stdin?.end();
    this.#child = undefined;
  }

  #start(): ChildProcess {
    const { environment, home, log, python } = this.#options;
    const child = startCompanion(
      python,
      ['-s', path.join(home, 'bridge.py')],
      bridgeEnvironment(environment, this.#options),
    );
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(line));
    createInterface({ input: child.stderr }).on('line', log);
    child.once('error', (error) => this.#ended(child, error.message));
    child.once('close', (code, signal) => this.#ended(child, `it ended with ${signal ?? code}`));
    return child;
  }

  #take(text: string): void {
    const line = bridgeLine.safeParse(parse(text));
    if (!line.success) {
      this.#options.log(`not understood from the bridge: ${text}`);
      return;
    }
    const waiting = this.#waiting.get(line.data.id);
    if (waiting === undefined) {
      return;
    }
    if ('event' in line.data) {
      waiting.onRegistered(line.data.job);
      return;
    }
    this.#waiting.delete(line.data.id);
    waiting.settle('error' in line.data ? failed(toFailure(line.data.error)) : ok(line.data.result));
  }

  #ended(child: ChildProcess, reason: string): void {
    if (this.#child === child) {
      this.#child = undefined;
    }
    for (const [id, { child: asked, method, settle }] of this.#waiting) {
      if (asked !== child) {
        continue;
      }
      this.#waiting.delete(id);
      settle(
        failed({
          kind: 'unexpected',
          message: message('The Python process of the TAO SDK is gone: {0}.', reason),
          action: 'showLog',
          retrySafe: method !== 'create_job',
        }),
      );
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // told by the caller, with the text
    return undefined;
  }
}

function toFailure(error: { readonly kind: string; readonly message: string }): Failure {
  const shared = { action: 'showLog', retrySafe: true, detail: error.message } as const;
  switch (error.kind) {
    case 'sdkMissing':
      return { ...shared, kind: 'unexpected', message: message('The TAO SDK is not installed for Python.') };
    case 'specUnreadable':
      return { ...shared, kind: 'specUnreadable', message: message('The spec is no YAML mapping.') };
    case 'unknownJob':
      return { ...shared, kind: 'jobLost', message: message('The TAO SDK does not know this job.') };
    default:
      return { ...shared, kind: 'remoteFailed', message: message('The TAO SDK said: {0}', error.message) };
  }
}

function unreadable(method: string, detail: string): Failure {
  return {
    kind: 'unreadableAnswer',
    message: message('The answer of the TAO SDK to {0} was not understood.', method),
    action: 'showLog',
    retrySafe: method !== 'create_job',
    detail,
  };
}
