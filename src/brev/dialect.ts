import { stat } from 'node:fs/promises';
import type { Run } from '../process/run.ts';
import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';

/** What the installed CLI can do. Everything that differs between versions and builds is decided in this file. */
export interface Dialect {
  readonly version: Version | undefined;
  /** How create is told what to create: by type where it can, else by GPU as `L40S:1`. */
  readonly createBy: '--type' | '--gpu' | undefined;
  /** Whether create takes --cloud-cred-id and --workspace-group-id (brev-cli.md part 17). */
  readonly placementFlags: boolean;
  /** Whether create takes --launchable. */
  readonly launchables: boolean;
  /** The call that lists organisations. */
  readonly organisationsArgs: readonly string[];
  readonly apiKeyLogin: boolean;
  /** Whether login takes --skip-browser, which prints the URL instead of opening it. */
  readonly skipBrowser: boolean;
  readonly commands: ReadonlySet<string>;
  /** Why this CLI cannot serve; undefined when it can. */
  readonly problem: Failure | undefined;
}

export interface Version {
  readonly text: string;
  readonly parts: readonly [number, number, number];
}

/** The oldest version with search, exec and JSON lists (brev-cli.md part 14). */
export const OLDEST_VERSION: Version = { text: '0.6.317', parts: [0, 6, 317] };

const PROBE_TIMEOUT_MS = 15_000;

/** Asks the CLI's own help, once for each binary: the answer is kept by path, size and time of change. */
export class DialectProbe {
  readonly #run: Run;
  readonly #environment: () => Record<string, string>;
  readonly #known = new Map<string, Promise<Dialect>>();

  constructor(run: Run, environment: () => Record<string, string>) {
    this.#run = run;
    this.#environment = environment;
  }

  async dialect(program: string): Promise<Dialect> {
    const { size, mtimeMs } = await stat(program);
    const key = `${program}\0${size}\0${mtimeMs}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    const probing = this.#probe(program);
    this.#known.set(key, probing);
    const dialect = await probing;
    if (dialect.commands.size === 0) {
      // no answer: perhaps a machine under load; the next caller asks again
      this.#known.delete(key);
    }
    return dialect;
  }

  async #probe(program: string): Promise<Dialect> {
    // never bare `--version`, which asks GitHub and may hang, nor bare `agent-skill`, which installs (part 12 and 10)
    const [version, help, create, login] = await Promise.all([
      this.#ask(program, ['--version', '--no-check-latest']),
      this.#ask(program, ['--help']),
      this.#ask(program, ['create', '--help']),
      this.#ask(program, ['login', '--help']),
    ]);
    return readDialect({ version, help, create, login });
  }

  async #ask(program: string, args: readonly string[]): Promise<string> {
    const result = await this.#run(program, { args, env: this.#environment(), timeoutMs: PROBE_TIMEOUT_MS });
    return result.kind === 'ok' || result.kind === 'failed' ? `${result.stdout}\n${result.stderr}` : '';
  }
}

/** The texts of `--version --no-check-latest`, `--help`, `create --help` and `login --help`. */
export interface HelpTexts {
  readonly version: string;
  readonly help: string;
  readonly create: string;
  readonly login: string;
}

export function readDialect(texts: HelpTexts): Dialect {
  const version = readVersion(texts.version);
  const commands = readCommands(texts.help);
  return {
    version,
    createBy: hasFlag(texts.create, '--type')
      ? '--type'
      : hasFlag(texts.create, '--gpu')
        ? '--gpu'
        : undefined,
    placementFlags: hasFlag(texts.create, '--cloud-cred-id') && hasFlag(texts.create, '--workspace-group-id'),
    launchables: hasFlag(texts.create, '--launchable'),
    organisationsArgs: commands.has('orgs') ? ['orgs', '--json'] : ['ls', 'orgs', '--json'],
    apiKeyLogin: hasFlag(texts.login, '--api-key') || atLeast(version, [0, 6, 324]),
    skipBrowser: hasFlag(texts.login, '--skip-browser'),
    commands,
    problem: problem(version, commands),
  };
}

export function readVersion(text: string): Version | undefined {
  const match = /Current [Vv]ersion: v?(\d+)\.(\d+)\.(\d+)/.exec(text);
  if (match === null) {
    return undefined;
  }
  const parts = [Number(match[1]), Number(match[2]), Number(match[3])] as const;
  return { text: parts.join('.'), parts };
}

/** Whether a version is that or later; an unknown one isn't. */
export function atLeast(version: Version | undefined, wanted: Version['parts']): boolean {
  if (version === undefined) {
    return false;
  }
  for (const [index, part] of wanted.entries()) {
    const own = version.parts[index] ?? 0;
    if (own !== part) {
      return own > part;
    }
  }
  return true;
}

function hasFlag(help: string, flag: string): boolean {
  return new RegExp(`(?:^|[\\s,])${flag}(?=[\\s=,]|$)`, 'm').test(help);
}

/** The names at the start of the indented lines of a Cobra help text. */
function readCommands(help: string): ReadonlySet<string> {
  return new Set(
    [...help.matchAll(/^ {2,}([a-z][a-z-]+)(?=\s{2,}|\s*$)/gm)].flatMap((match) => match[1] ?? []),
  );
}

function problem(version: Version | undefined, commands: ReadonlySet<string>): Failure | undefined {
  const missing = ['ls', 'search', 'exec', 'create'].filter(
    (command) => commands.size > 0 && !commands.has(command),
  );
  const old = version !== undefined && !atLeast(version, OLDEST_VERSION.parts);
  if (!old && missing.length === 0) {
    return undefined;
  }
  return {
    kind: 'cliTooOld',
    message:
      version === undefined
        ? message(
            'The installed Brev CLI has no {0}. Version {1} is the oldest that has all.',
            missing.join(', '),
            OLDEST_VERSION.text,
          )
        : message(
            'The Brev CLI {0} is too old: search, exec and JSON lists came with {1}. Update it.',
            version.text,
            OLDEST_VERSION.text,
          ),
    action: 'openInstallPage',
    retrySafe: true,
  };
}
