import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What runs as a process of its own, with its source. */
const PROGRAMS = {
  brev: 'cli.ts',
  tunnel: 'remote/tunnel.ts',
  docker: 'machine/docker.ts',
  runner: 'machine/docker/runner.ts',
  player: 'machine/tao/player.ts',
  'nvidia-smi': 'machine/nvidia-smi.ts',
  sudo: 'machine/sudo.ts',
};

/** The folder with the simulator's programs as files that Node runs, made anew when a source has changed. */
export function builtPrograms(sourceDir: string): Promise<string> {
  const known = built.get(sourceDir) ?? buildOnce(sourceDir);
  built.set(sourceDir, known);
  return known;
}

/** Sources don't change under a running test. */
const built = new Map<string, Promise<string>>();

async function buildOnce(sourceDir: string): Promise<string> {
  const { bundlePrograms } = await import('../../support/program-bundle.ts');
  const { cacheRoot } = await import('../../support/paths.ts');
  const parent = join(cacheRoot, 'brev-sim');
  const name = digest(sourceDir);
  if (existsSync(join(parent, name))) return join(parent, name);
  const sources = Object.entries(PROGRAMS).map(([program, file]) => [program, join(sourceDir, file)]);
  return bundlePrograms(Object.fromEntries(sources), parent, name);
}

function digest(sourceDir: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(sourceDir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  // by Unicode, as no locale would change it
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(sourceDir, file)));
  return hash.digest('hex').slice(0, 16);
}
