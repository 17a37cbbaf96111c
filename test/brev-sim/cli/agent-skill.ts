import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Invocation } from './run.ts';

const AGENTS = ['.claude', '.agents', '.codex'];

/** Bare `agent-skill` installs too: there is no safe way to ask but `--help` (contract 10). */
export async function install({ run }: Invocation): Promise<void> {
  for (const agent of AGENTS) {
    const dir = join(run.home, agent, 'skills', 'brev-cli');
    mkdirSync(dir, { recursive: true });
    writeFileSync(
      join(dir, 'SKILL.md'),
      '---\nname: brev-cli\ndescription: Manage GPU instances with the brev CLI\n---\n',
    );
    run.out(`Installed brev skill to ${dir}\n`);
  }
}

export async function uninstall({ run }: Invocation): Promise<void> {
  for (const agent of AGENTS) {
    rmSync(join(run.home, agent, 'skills', 'brev-cli'), { recursive: true, force: true });
  }
  run.out('Removed brev skill\n');
}
