import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from './errors.ts';
import { requireNames } from './names.ts';
import { reachInstance } from './reach-instance.ts';
import type { Invocation } from './run.ts';
import { writeBrevFile } from './user-files.ts';

const EDITORS = new Set(['code', 'cursor', 'windsurf', 'terminal', 'tmux']);

/** `brev open NAME [editor]`: the simulator only notes what would open, in `opened.jsonl`. */
export async function open({ run, flags, args }: Invocation): Promise<void> {
  const preset = flags.text('set-default');
  if (preset !== '') {
    // The whole file is written anew, an analytics opt-out in it included (contract 8).
    writeBrevFile(run, 'personal_settings.json', JSON.stringify({ default_editor: preset }));
    run.out(`Default editor set to ${preset}\n`);
    return;
  }
  const last = args.at(-1) ?? '';
  const editor = flags.text('editor') || (args.length > 1 && EDITORS.has(last) ? last : 'code');
  const names = await requireNames(run, editor === last ? args.slice(0, -1) : args);
  for (const name of names) {
    run.out('finding your instance...\n');
    const instance = await reachInstance(run, name);
    if (!EDITORS.has(editor)) throw new CliError(`unknown editor ${editor}`);
    appendFileSync(join(run.root, 'opened.jsonl'), `${JSON.stringify({ editor, alias: instance.name })}\n`);
    if (run.piped) run.out(`${name}\n`);
  }
}
