import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { RemoteShell } from '../../../../../src/remote/shell.ts';
import { ok } from '../../../../../src/values/outcome.ts';

/** What a machine may use of this computer: nothing that a GPU machine would have and this one may have, too. */
const TOOLS = 'awk bash cut df find grep readlink realpath sh timeout tr'.split(' ');
const SYSTEM = ['/usr/bin', '/bin'];

export interface Machine {
  readonly home: string;
  readonly shell: Pick<RemoteShell, 'run'>;
  /** Makes a program of the machine, by its sh script. */
  program(name: string, script: string): Promise<void>;
  /** Makes a file below the home directory. */
  file(name: string): Promise<void>;
}

/** A home directory, a PATH of its own and a shell that runs scripts there, as an instance would. */
export async function machine(test: TestContext): Promise<Machine> {
  const root = await mkdtemp(path.join(tmpdir(), 'machine-'));
  test.after(() => rm(root, { recursive: true, force: true }));
  const [home, bin] = [path.join(root, 'home'), path.join(root, 'bin')];
  await Promise.all([mkdir(path.join(home, 'data'), { recursive: true }), mkdir(bin)]);
  for (const tool of TOOLS) await link(tool, bin);
  return {
    home,
    program: async (name, script) => {
      await rm(path.join(bin, name), { force: true });
      await writeFile(path.join(bin, name), `#!/bin/sh\n${script}\n`);
      await chmod(path.join(bin, name), 0o755);
    },
    file: async (name) => {
      await mkdir(path.dirname(path.join(home, name)), { recursive: true });
      await writeFile(path.join(home, name), 'x');
    },
    shell: {
      run: ({ text, args }) =>
        new Promise((resolve, reject) => {
          const argv = ['-c', text, 'brev-instances', ...args];
          execFile('/bin/bash', argv, { env: { HOME: home, PATH: bin }, cwd: root }, (error, stdout) => {
            if (error !== null && typeof error.code !== 'number') reject(error);
            else resolve(ok({ exitCode: error === null ? 0 : Number(error.code), stdout }));
          });
        }),
    },
  };
}

async function link(tool: string, bin: string): Promise<void> {
  const source = SYSTEM.map((folder) => path.join(folder, tool)).find((file) => existsSync(file));
  // macOS has no `timeout`; the script does without
  if (source !== undefined) await symlink(source, path.join(bin, tool));
}
