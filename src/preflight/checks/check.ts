import type { Brev } from '../../brev/brev.ts';
import type { Dialect } from '../../brev/dialect.ts';
import type { WorkspaceList } from '../../brev/ls.ts';
import type { SdkVersions } from '../../platforms/brevSdk/sdkRoute.ts';
import type { LeptonAccountReading } from '../../platforms/lepton/account.ts';
import type { Clock } from '../../process/clock.ts';
import type { Run } from '../../process/run.ts';
import type { Message } from '../../values/message.ts';
import type { Outcome } from '../../values/outcome.ts';
import type { CredentialSource } from '../credentials.ts';
import type { EnvFile } from '../envFile.ts';
import type { LocalFiles } from '../localFiles.ts';
import type { Fix } from './fix.ts';

export type CheckState = 'passed' | 'failed' | 'warning' | 'unknown' | 'skipped';

export interface CheckResult {
  readonly state: CheckState;
  readonly sentence: Message;
  readonly fix?: Fix;
}

/** One line of the set-up: what is looked at, and how. */
export interface Check {
  readonly id: string;
  readonly title: Message;
  /** It has no sense before that check passed (or only warned); then it is skipped with this sentence. */
  readonly after?: { readonly id: string; readonly otherwise: Message };
  readonly limitMs: number;
  run(context: CheckContext, signal: AbortSignal): Promise<CheckResult>;
}

/** Everything that the checks see of the world. */
export interface SetupContext {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly run: Run;
  readonly brev: Pick<Brev, 'execute' | 'dialect'>;
  readonly locate: () => Promise<Outcome<string>>;
  readonly files: LocalFiles;
  readonly envFilePath: string;
  readonly secrets: (name: string) => Promise<string | undefined>;
  /** The token that the session signed in with; undefined when the sign-in is the CLI's own. */
  readonly tokenInUse: () => { readonly source: CredentialSource; readonly stale: boolean } | undefined;
  /** The workspace on Lepton that is set up. */
  readonly leptonAccount: () => Promise<LeptonAccountReading>;
  /** What the interpreter for the TAO SDK has; absent where none was set and nothing was installed. */
  readonly sdk: () => Promise<
    { readonly kind: 'absent' } | { readonly kind: 'set'; readonly versions: Outcome<SdkVersions> }
  >;
  /** Undefined where it can't be seen, such as an extension that runs on the other side of a connection. */
  readonly isExtensionInstalled: (id: string) => boolean | undefined;
  readonly workspaceFolders: () => readonly string[];
  readonly log: (line: string) => void;
}

/** The context during one run: what several checks need is asked once. */
export interface CheckContext extends SetupContext {
  readonly dialect: () => Promise<Outcome<Dialect>>;
  readonly listing: () => Promise<Outcome<WorkspaceList>>;
  readonly envFile: () => Promise<Outcome<EnvFile>>;
}

const SECOND = 1_000;
/** For a look at the disk. */
export const LOCAL_LIMIT_MS = 10 * SECOND;
/** For the CLI's own help. */
export const HELP_LIMIT_MS = 20 * SECOND;
/** For a call that may sign in and be repeated. */
export const CALL_LIMIT_MS = 120 * SECOND;

export function passed(sentence: Message): CheckResult {
  return { state: 'passed', sentence };
}

export function notPassed(
  state: Exclude<CheckState, 'passed'>,
  sentence: Message,
  fix?: Fix | undefined,
): CheckResult {
  return { state, sentence, ...(fix === undefined ? {} : { fix }) };
}
