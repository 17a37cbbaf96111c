import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { AutomaticSignIn } from '../brev/brev.ts';
import { type Clock, sleep } from '../process/clock.ts';
import { takeLease } from '../process/lease.ts';
import type { Redactor } from '../process/redact.ts';
import { replaceFile } from '../process/replaceFile.ts';
import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';
import type { Outcome } from '../values/outcome.ts';
import type { Credential, CredentialSource } from './credentials.ts';

export interface SessionOptions {
  readonly token: () => Promise<Credential | undefined>;
  /** Runs the CLI's own sign-in. */
  readonly login: (token: string, signal: AbortSignal | undefined) => Promise<Outcome<void>>;
  /** A folder that all windows share. */
  readonly folder: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly log: (line: string) => void;
}

/** What the windows tell each other: which token was used, never the token itself. */
const sharedState = z.object({
  fingerprint: z._default(z.string(), ''),
  signedInAt: z._default(z.number(), 0),
  /** The token that Brev refused; it isn't tried again. */
  refused: z._default(z.string(), ''),
  /** The user signed out on purpose: no sign-in happens by itself until the next one by hand. */
  signedOut: z._default(z.boolean(), false),
});
type SharedState = z.infer<typeof sharedState>;

const EMPTY: SharedState = { fingerprint: '', signedInAt: 0, refused: '', signedOut: false };
const OTHER_WINDOW_LIMIT_MS = 90_000;

/** Signs in by token, without asking: before the first call, and once more when the CLI says that it is signed out. */
export class Session implements AutomaticSignIn {
  readonly #options: SessionOptions;
  #first: Promise<void> | undefined;
  #running: Promise<boolean> | undefined;
  #last: { readonly source: CredentialSource; readonly stale: boolean } | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** The token in use and whether Brev refused it; undefined when the sign-in is the CLI's own. */
  get tokenInUse(): { readonly source: CredentialSource; readonly stale: boolean } | undefined {
    return this.#last;
  }

  beforeCall(signal: AbortSignal | undefined): Promise<void> {
    this.#first ??= this.#signIn(undefined, signal).then(() => undefined);
    return this.#first;
  }

  signInAgain(since: number, signal: AbortSignal | undefined): Promise<boolean> {
    return this.#signIn(since, signal);
  }

  failure(seen: Failure): Failure {
    return this.#last === undefined
      ? seen
      : {
          kind: 'tokenStale',
          message: message('The Brev token is stale: Brev does not accept it any more. Enter a new one.'),
          action: 'enterToken',
          retrySafe: true,
          ...(seen.detail === undefined ? {} : { detail: seen.detail }),
        };
  }

  /** A sign-in by hand is over: the next call may sign in by itself again. */
  async signedInByHand(): Promise<void> {
    await this.#share({ ...(await this.#shared()), signedOut: false, refused: '' });
    this.#first = undefined;
    this.#last = undefined;
  }

  /** The user signed out: a token that lies around must not undo that. */
  async signedOutByHand(): Promise<void> {
    await this.#share({ ...EMPTY, signedOut: true });
    this.#last = undefined;
  }

  /** One sign-in at a time, in this window and among all. `since` undefined: only if it hasn't been done before. */
  #signIn(since: number | undefined, signal: AbortSignal | undefined): Promise<boolean> {
    this.#running ??= this.#inTurn(since, signal).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #inTurn(since: number | undefined, signal: AbortSignal | undefined): Promise<boolean> {
    const token = await this.#options.token();
    if (token === undefined || token.value === '') {
      this.#last = undefined;
      return false;
    }
    this.#options.redactor.addSecret(token.value);
    const fingerprint = createHash('sha256').update(token.value).digest('hex').slice(0, 16);
    const deadline = this.#options.clock.now() + OTHER_WINDOW_LIMIT_MS;
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    while (signal?.aborted !== true) {
      const lease = await takeLease(path.join(this.#options.folder, 'signing-in'));
      if (lease !== undefined) {
        try {
          return await this.#withLease(token, fingerprint, since, signal);
        } finally {
          await lease.release();
        }
      }
      if (this.#options.clock.now() >= deadline) {
        this.#options.log('another window has been signing in for too long');
        return false;
      }
      await sleep(this.#options.clock, 100, signal);
    }
    return false;
  }

  async #withLease(
    token: Credential,
    fingerprint: string,
    since: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const shared = await this.#shared();
    if (shared.signedOut) {
      return false;
    }
    const refused = shared.refused === fingerprint || isExpired(token.value, this.#options.clock.now());
    this.#last = { source: token.source, stale: refused };
    if (refused) {
      return false;
    }
    const usedBefore = shared.fingerprint === fingerprint;
    if (usedBefore && (since === undefined || shared.signedInAt > since)) {
      // done already, perhaps by another window a moment ago
      return true;
    }
    const outcome = await this.#options.login(token.value, signal);
    switch (outcome.kind) {
      case 'ok':
        await this.#share({ ...EMPTY, fingerprint, signedInAt: this.#options.clock.now() });
        return true;
      case 'cancelled':
        return false;
      case 'failed': {
        const { kind } = outcome.failure;
        const said = kind === 'signedOut' || kind === 'tokenStale' || kind === 'forbidden';
        if (said) {
          this.#last = { source: token.source, stale: true };
          await this.#share({ ...shared, refused: fingerprint });
        }
        this.#options.log(`sign-in by token failed: ${kind}`);
        return false;
      }
    }
  }

  async #shared(): Promise<SharedState> {
    try {
      const parsed = z.safeParse(sharedState, JSON.parse(await readFile(this.#stateFile(), 'utf8')));
      return parsed.success ? parsed.data : EMPTY;
    } catch {
      // nobody has signed in by token yet
      return EMPTY;
    }
  }

  async #share(state: SharedState): Promise<void> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    const temporary = `${this.#stateFile()}.${process.pid}.new`;
    await writeFile(temporary, JSON.stringify(state), { mode: 0o600 });
    await replaceFile(temporary, this.#stateFile());
  }

  #stateFile(): string {
    return path.join(this.#options.folder, 'session.json');
  }
}

/** Whether a token says of itself that its time is over. One that says nothing may be good. */
export function isExpired(token: string, now: number): boolean {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token)?.[1];
  if (payload === undefined) {
    return false;
  }
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const parsed = z.safeParse(z.object({ exp: z.number() }), claims);
    return parsed.success && parsed.data.exp * 1_000 <= now;
  } catch {
    // not a JSON web token after all
    return false;
  }
}
