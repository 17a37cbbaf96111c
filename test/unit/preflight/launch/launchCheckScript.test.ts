import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import {
  type AskedPath,
  askInstance,
  type RemoteFacts,
  readFacts,
} from '../../../../src/preflight/launch/remoteFacts.ts';
import { okValue } from '../support/outcomes.ts';
import { type Machine, machine } from './support/machine.ts';

const never = new AbortController().signal;

async function ask(on: Machine, paths: readonly AskedPath[] = []): Promise<RemoteFacts> {
  return okValue(await askInstance(on.shell, 'nvcr.io/x/y:1', paths, never));
}

/** Answers as docker does, with the root directory and runtimes that a test wants. */
const dockerOf = (root: string, runtimes: string, image: 'present' | 'absent' = 'present'): string => `
case "$1 $2" in
  'version --format') echo 28.2.2 ;;
  version*) echo Server ;;
  'info --format') echo '${root}|${runtimes}' ;;
  'image inspect') [ ${image} = present ] && [ "$3" = nvcr.io/x/y:1 ] ;;
  *) exit 64 ;;
esac`;
const NVIDIA = '{"nvidia":{"path":"nvidia-container-runtime"},"runc":{"path":"runc"}}';
const RUNC = '{"runc":{"path":"runc"}}';
const DOWN = 'echo "Cannot connect to the Docker daemon." >&2; exit 1';

describe('launchCheck.sh', () => {
  it('tells of docker, GPUs, image and disk', async (test) => {
    const on = await machine(test);
    await on.program('docker', dockerOf('/', NVIDIA));
    await on.program('nvidia-smi', 'printf "GPU 0: L40S (UUID: a)\\nGPU 1: L40S (UUID: b)\\n"');
    await on.program(
      'df',
      'printf "Filesystem 1024-blocks Used Available Capacity Mounted on\\n/dev/a 9 9 4096 9%% /\\n"',
    );
    assert.deepEqual(await ask(on), {
      docker: { kind: 'up', version: '28.2.2' },
      gpuRuntime: true,
      gpus: 2,
      imagePresent: true,
      freeBytes: 4096 * 1024,
      paths: [],
    });
  });

  it('finds a machine without docker, GPUs or image', async (test) => {
    const bare = await machine(test);
    const { docker, gpus, imagePresent, freeBytes } = await ask(bare);
    assert.deepEqual(
      [docker, gpus, imagePresent, freeBytes],
      [{ kind: 'missing' }, undefined, undefined, undefined],
    );
    const noGpu = await machine(test);
    await noGpu.program('docker', dockerOf('/nowhere', RUNC, 'absent'));
    await noGpu.program('nvidia-smi', 'echo "NVIDIA-SMI has failed"; exit 9');
    const facts = await ask(noGpu);
    assert.deepEqual([facts.gpuRuntime, facts.gpus, facts.imagePresent], [false, 0, false]);
    assert.ok((facts.freeBytes ?? 0) > 0, 'the root directory stands for one that cannot be seen');
    await noGpu.program('nvidia-ctk', '');
    assert.equal((await ask(noGpu)).gpuRuntime, true);
  });

  it('tries docker with sudo, and tells why the daemon does not answer', async (test) => {
    const on = await machine(test);
    await on.program('docker', `[ -n "$AS_ROOT" ] || { ${DOWN}; }\n${dockerOf('/', NVIDIA)}`);
    assert.deepEqual((await ask(on)).docker, { kind: 'down', words: 'Cannot connect to the Docker daemon.' });
    await on.program('sudo', '[ "$1" = -n ] && shift && AS_ROOT=1 exec "$@"');
    const facts = await ask(on);
    assert.deepEqual([facts.docker, facts.imagePresent], [{ kind: 'up', version: '28.2.2' }, true]);
  });

  it('sees what is at each path, whatever its name', async (test) => {
    const on = await machine(test);
    const data = path.join(on.home, 'data');
    await on.file('data/train/a.csv');
    await on.file("data/it's $(odd) *ü.csv");
    await on.file('-n/x');
    await on.file('elsewhere/x');
    await mkdir(path.join(data, 'empty'));
    for (const [name, target] of [
      ['inside', 'train'],
      ['out', '../elsewhere'],
      ['absolute', path.join(data, 'train')],
      ['dangling', 'nothing'],
    ] as const) {
      await symlink(target, path.join(data, name));
    }
    const seen = {
      '': 'folder',
      train: 'folder',
      'train/': 'folder',
      'train/a.csv': 'file',
      'train/a.csv/': 'missing',
      'train/b.csv': 'missing',
      trai: 'missing',
      "it's $(odd) *ü.csv": 'file',
      '*': 'missing',
      empty: 'empty',
      inside: 'folder',
      'inside/a.csv': 'file',
      out: 'outside',
      'out/x': 'outside',
      absolute: 'outside',
      'absolute/a.csv': 'outside',
      dangling: 'missing',
      'dangling/x': 'missing',
    };
    const asked = Object.keys(seen).map((rest) => ({ folder: 'data', rest }));
    const { paths } = await ask(on, [...asked, { folder: '-n', rest: 'x' }, { folder: 'none', rest: '' }]);
    assert.deepEqual(paths, [...Object.values(seen), 'file', 'missing']);
  });

  it('leaves out what does not fit on a command line', async (test) => {
    const on = await machine(test);
    const rest = 'x'.repeat(1_000);
    const { paths } = await ask(
      on,
      Array.from({ length: 100 }, () => ({ folder: 'data', rest })),
    );
    assert.equal(paths.length, 100);
    assert.equal(paths[0], 'missing');
    assert.equal(paths.at(-1), undefined);
  });
});

describe('readFacts', () => {
  it('takes only a whole answer', () => {
    assert.equal(readFacts('docker up 28\npath 0 file\n', 1), undefined);
    assert.equal(readFacts('docker up 28\npath 0 file\nend', 1)?.paths[0], 'file');
  });

  it('ignores what it does not know', () => {
    const facts = readFacts(
      'noise\ndocker sideways\nfree lots\npath 9 file\npath x file\npath 0 odd\nend\n',
      1,
    );
    assert.deepEqual(facts, {
      docker: undefined,
      gpuRuntime: undefined,
      gpus: undefined,
      imagePresent: undefined,
      freeBytes: undefined,
      paths: [undefined],
    });
  });
});
