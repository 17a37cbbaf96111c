import assert from 'node:assert/strict';
import type { BrevCommand } from '../../../src/brev/command.ts';
import type { Outcome } from '../../../src/values/outcome.ts';

/** Names that the CLI's own rule refuses, and that would do harm in a shell, in argv or in a list. */
export const ODD_NAMES = [
  ...[
    '',
    ' ',
    'a b',
    'a\n',
    '\na',
    'a\0',
    'a; rm -rf ~ #',
    '$(x)',
    '`x`',
    "a'b",
    'a"b',
    'a|b',
    'a&b',
    'a>b',
    '../a',
    'a/b',
  ],
  ...[
    '-d',
    '--all',
    '--type',
    '@file',
    '.hidden',
    '_a',
    '~',
    '*',
    '学習',
    'é',
    '🚀',
    '\u202ea',
    'a\u0000b',
    'a\u001b[31m',
  ],
  'a'.repeat(64),
];

/** The argv of a command that was made. */
export function argumentsOf(outcome: Outcome<BrevCommand<unknown>>): readonly string[] {
  assert.ok(outcome.kind === 'ok', JSON.stringify(outcome));
  return outcome.value.args;
}

/** What kind of failure it is; ok or cancelled where it is none. */
export const refusal = (outcome: Outcome<unknown>) =>
  outcome.kind === 'failed' ? outcome.failure.kind : outcome.kind;
