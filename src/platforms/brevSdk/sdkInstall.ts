import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { errorCode } from '../../process/errorCode.ts';
import type { Run } from '../../process/run.ts';
import { quote } from '../../remote/quote.ts';
import { message } from '../../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../../values/outcome.ts';

/** The version that the bridge's adapter was made for. */
const FROM_PYPI = 'nvidia-tao-sdk==7.2.0';
const INSTALL_TIMEOUT_MS = 600_000;

/** A requirement for pip that is pinned, and who pins it. */
export interface SdkPin {
  readonly requirement: string;
  /** The skill bank's file; undefined when the pin is ours. */
  readonly from: string | undefined;
}

/** Where the SDK goes: a virtual environment of ours, or an interpreter of the user's. */
export type SdkPlace =
  | { readonly kind: 'venv'; readonly base: string; readonly folder: string }
  | { readonly kind: 'interpreter'; readonly python: string };

/** What an installation would run, for the user to see and agree to before anything runs. */
export interface SdkInstallation {
  readonly commands: readonly (readonly [program: string, ...args: string[]])[];
  /** The commands as one would type them. */
  readonly shown: string;
  /** The interpreter that has the SDK afterwards. */
  readonly python: string;
}

const versionsFile = z.object({ wheels: z.object({ tao_sdk_brev: z.string() }) });

/** The pin of the skill bank (TAO_SKILL_BANK_PATH) where there is one, else ours. */
export async function sdkPin(skillBank: string | undefined): Promise<Outcome<SdkPin>> {
  if (skillBank === undefined || skillBank === '') {
    return ok({ requirement: FROM_PYPI, from: undefined });
  }
  const from = path.join(skillBank, 'versions.yaml');
  let text: string;
  try {
    text = await readFile(from, 'utf8');
  } catch (error) {
    return unreadable(from, errorCode(error) ?? String(error));
  }
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const parsed = versionsFile.safeParse(document.errors.length > 0 ? undefined : document.toJS());
  if (!parsed.success) {
    return unreadable(from, 'wheels.tao_sdk_brev');
  }
  const wheel = parsed.data.wheels.tao_sdk_brev.trim();
  if (/^\d+(?:\.\d+)+[A-Za-z0-9.]*$/.test(wheel)) {
    return ok({ requirement: `nvidia-tao-sdk==${wheel}`, from });
  }
  // never an option of pip, nor anything that isn't pinned
  return /^nvidia-tao-sdk(?:\[[a-z,]+\])?==[A-Za-z0-9.]+$/.test(wheel) || /^https:\/\/\S+\.whl$/.test(wheel)
    ? ok({ requirement: wheel, from })
    : unreadable(from, wheel);
}

export function sdkInstallation({ requirement }: SdkPin, place: SdkPlace): SdkInstallation {
  const python = place.kind === 'venv' ? path.join(place.folder, 'bin/python') : place.python;
  const pip = [
    python,
    '-m',
    'pip',
    'install',
    '--disable-pip-version-check',
    '--no-input',
    requirement,
  ] as const;
  const commands =
    place.kind === 'venv' ? [[place.base, '-m', 'venv', place.folder] as const, pip] : ([pip] as const);
  return { commands, shown: commands.map((words) => words.map(quoted).join(' ')).join('\n'), python };
}

/** Runs an installation that the user has agreed to. */
export async function installSdk(
  run: Run,
  installation: SdkInstallation,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Outcome<void>> {
  for (const [program, ...args] of installation.commands) {
    const result = await run(program, { args, env, timeoutMs: INSTALL_TIMEOUT_MS, signal });
    if (result.kind === 'cancelled') {
      return cancelled;
    }
    if (result.kind !== 'ok') {
      const detail = 'stderr' in result ? result.stderr.trim() : result.kind;
      return failed({
        kind: 'unexpected',
        message: message('The TAO SDK was not installed: {0}', detail.split('\n').at(-1) ?? ''),
        action: 'showLog',
        retrySafe: true,
        detail,
      });
    }
  }
  return ok(undefined);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quote(word);
}

function unreadable(file: string, what: string): Outcome<never> {
  return failed({
    kind: 'unexpected',
    message: message('{0} names no version of the TAO SDK: {1}', file, what),
    retrySafe: true,
  });
}
