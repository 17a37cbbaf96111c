import { setImmediate } from 'node:timers/promises';
import type { LaunchContext } from '../../../../../src/preflight/launch/context.ts';
import type { LaunchCheck, LaunchFix } from '../../../../../src/preflight/launch/launchCheck.ts';
import { runLaunchChecks } from '../../../../../src/preflight/launch/runLaunchChecks.ts';
import type { RemoteScript, RemoteShell } from '../../../../../src/remote/shell.ts';
import { builtInCatalogue } from '../../../../../src/tao/catalogue/builtIn.ts';
import { inEnglish } from '../../../../../src/values/message.ts';
import { failed, type Outcome, ok } from '../../../../../src/values/outcome.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';
import { okValue } from '../../support/outcomes.ts';

/** A good instance's answer, apart from the paths. */
export const GOOD_FACTS = ['docker up 28.2.2', 'runtime yes', 'image present', 'free 99999999', 'gpus 2'];

/** A shell whose instance gives these facts; paths are `there` or missing. */
export function factShell(
  facts: readonly string[] = GOOD_FACTS,
  there: readonly string[] = [],
): { readonly shell: Pick<RemoteShell, 'run'>; readonly scripts: RemoteScript[] } {
  const scripts: RemoteScript[] = [];
  const shell: Pick<RemoteShell, 'run'> = {
    run: async (script) => {
      scripts.push(script);
      const paths: string[] = [];
      for (let at = 1; at < script.args.length; at += 2) {
        const name = `${script.args[at]}/${script.args[at + 1]}`;
        paths.push(`path ${paths.length} ${there.includes(name) ? 'file' : 'missing'}`);
      }
      return ok({ exitCode: 0, stdout: [...facts, ...paths, 'end', ''].join('\n') });
    },
  };
  return { shell, scripts };
}

export type Given = Partial<Omit<LaunchContext, 'run' | 'credentials'>> & {
  readonly spec?: string | Uint8Array;
  readonly run?: Partial<LaunchContext['run']>;
  readonly keys?: Readonly<Record<string, string>>;
};

/** A launch that nothing stands in the way of, but for what a test gives. Nobody is asked over the network. */
export function launch({ spec = 'train: {}', run = {}, keys = {}, ...given }: Given = {}): LaunchContext {
  const content = typeof spec === 'string' ? Buffer.from(spec) : spec;
  return {
    run: {
      network: 'segformer',
      action: 'train',
      image: 'docker.io/own/image:1',
      gpus: 'all',
      specFile: { name: 'spec.yaml', content },
      ...run,
    },
    instance: { name: 'gpu-1', on: true, state: 'RUNNING' },
    credentials: new Map(
      Object.entries(keys).map(([name, value]) => [name, { value, source: 'envFile' as const }]),
    ),
    offer: undefined,
    catalogue: builtInCatalogue,
    envFilePath: '~/.config/tao/.env',
    listWorks: async () => ok(undefined),
    shell: async () => ok(factShell().shell),
    clock: new FakeClock(),
    fetch: () => Promise.reject(new Error('nobody was to be asked')),
    ...given,
  };
}

/** All lines of a launch by their ids, as the user reads them: `state: sentence [its fix]`. */
export async function linesOf(given: Given): Promise<Readonly<Record<string, string>>> {
  const checks = okValue(await runLaunchChecks(launch(given), new AbortController().signal));
  return Object.fromEntries(checks.map((check) => [check.id, wordsOf(check)]));
}

/** The one line of that id. */
export async function lineOf(id: string, given: Given): Promise<string | undefined> {
  return (await linesOf(given))[id];
}

export function wordsOf({ state, sentence, fix }: LaunchCheck): string {
  return `${state}: ${inEnglish(sentence)}${fix === undefined ? '' : ` [${fixWords(fix)}]`}`;
}

function fixWords(fix: LaunchFix): string {
  switch (fix.kind) {
    case 'enterCredential':
      return `enter ${fix.name}`;
    case 'upload':
      return `upload ~/${fix.remotePath} for ${fix.containerPath}`;
    case 'signIn':
      return 'sign in';
    case 'findMachine':
      return 'find a machine';
    case 'openSpec':
      return `line ${fix.line}`;
  }
}

/** An outcome that a call may have. */
export function failing(kind: 'signedOut' | 'offline' | 'unreachable', words: string): Outcome<never> {
  return failed({
    kind,
    message: { template: words, args: [] },
    ...(kind === 'signedOut' ? { action: 'signIn' as const } : {}),
    retrySafe: true,
  });
}

/** Lets everything go on that waits for nothing but other promises and reading of modules. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate();
}
