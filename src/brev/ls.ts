import * as z from 'zod/mini';
import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { type BrevCommand, type CommandOutput, SECOND } from './command.ts';
import { readJson, readRows } from './jsonAnswer.ts';

/** What is missing or of another kind than known is unknown: it must not hide a machine that bills. */
const text = z.catch(z.string(), '');

const workspaceRow = z.object({
  id: z.string().check(z.minLength(1)),
  name: z.string(),
  status: text,
  build_status: text,
  shell_status: text,
  health_status: text,
  instance_type: text,
  instance_kind: text,
  gpu: text,
  /** Only in the second dialect (brev-cli.md part 17). */
  workspaceGroupId: z.catch(z.optional(z.string()), undefined),
});

/** One row of `brev ls --json`, as the CLI names things. */
export type WorkspaceRow = z.infer<typeof workspaceRow>;

export interface WorkspaceList {
  readonly rows: readonly WorkspaceRow[];
  /** Rows that could not be read. */
  readonly unreadable: number;
}

/** Lists the user's own and shared instances. No --all: it would show everyone's. */
export function ls(): BrevCommand<WorkspaceList> {
  return { name: 'ls', args: ['ls', '--json'], timeoutMs: 30 * SECOND, readOnly: true, parse: parseList };
}

function parseList({ stdout }: CommandOutput): Outcome<WorkspaceList> {
  const answer = readJson(stdout);
  if (answer.kind === 'unreadable') {
    return unreadable(answer.reason, stdout);
  }
  const list = workspaces(answer.value);
  if (list === undefined) {
    return unreadable('neither a list nor an object with workspaces', stdout);
  }
  const { rows, bad } = readRows(list, workspaceRow);
  if (rows.length === 0 && bad > 0) {
    return unreadable(`none of ${bad} rows has the known fields`, stdout);
  }
  return ok({ rows, unreadable: bad });
}

/** An object since 0.6.323, a bare array before; null stands for none in both (brev-cli.md parts 3 and 14). */
function workspaces(value: unknown): readonly unknown[] | undefined {
  if (value === null) {
    return [];
  }
  if (Array.isArray(value)) {
    return value;
  }
  if (typeof value === 'object' && 'workspaces' in value) {
    const list = value.workspaces;
    return list === null ? [] : Array.isArray(list) ? list : undefined;
  }
  return undefined;
}

function unreadable(reason: string, stdout: string): Outcome<never> {
  return failed({
    kind: 'unreadableAnswer',
    message: message('The list of instances could not be read: {0}.', reason),
    action: 'showLog',
    retrySafe: true,
    detail: stdout.slice(0, 2_000),
  });
}
