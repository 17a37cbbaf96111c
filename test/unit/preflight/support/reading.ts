import assert from 'node:assert/strict';
import type { Check, CheckResult, SetupContext } from '../../../../src/preflight/checks/check.ts';
import type { Fix } from '../../../../src/preflight/checks/fix.ts';
import { Setup, type SetupLine } from '../../../../src/preflight/setup.ts';
import { inEnglish } from '../../../../src/values/message.ts';

/** A line as the user reads it: `state: sentence [its fix]`. */
export function reading({ state, sentence, fix }: CheckResult): string {
  return `${state}: ${inEnglish(sentence)}${fix === undefined ? '' : ` [${readFix(fix)}]`}`;
}

/** All lines by their ids. */
export function readings(lines: readonly SetupLine[]): Record<string, string> {
  return Object.fromEntries(lines.map(({ id, result }) => [id, result === undefined ? '' : reading(result)]));
}

/** Runs one check alone, which must wait for no other. */
export async function look(check: Check, context: SetupContext): Promise<string> {
  const { after: _, ...alone } = check;
  const [line] = await new Setup(context, [{ ...alone, run: check.run }]).run();
  assert.ok(line?.result);
  return reading(line.result);
}

function readFix(fix: Fix): string {
  switch (fix.kind) {
    case 'terminal':
      return [fix.program, ...fix.args].join(' ');
    case 'command':
      return fix.argument === undefined ? fix.id : `${fix.id} ${fix.argument}`;
    case 'chmod':
      return `chmod ${fix.mode.toString(8)}`;
    case 'installExtension':
      return `install ${fix.extensionId}`;
    case 'openUrl':
      return fix.url;
  }
}
