import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Machine } from './machine.ts';

describe('nvidia-smi', { concurrency: 2 }, () => {
  it('answers queries with and without header and units', async () => {
    using machine = new Machine();
    const fields = '--query-gpu=index,name,memory.total,memory.used,utilization.gpu,driver_version';
    const full = await machine.run('nvidia-smi', [fields, '--format=csv']);
    assert.equal(
      full.stdout,
      'index, name, memory.total [MiB], memory.used [MiB], utilization.gpu [%], driver_version\n0, NVIDIA L40S, 46068 MiB, 1 MiB, 0 %, 580.95.05\n1, NVIDIA L40S, 46068 MiB, 1 MiB, 0 %, 580.95.05\n',
    );
    const bare = await machine.run('nvidia-smi', ['-i', '1', fields, '--format=csv,noheader,nounits']);
    assert.equal(bare.stdout, '1, NVIDIA L40S, 46068, 1, 0, 580.95.05\n');
    const wrong = await machine.run('nvidia-smi', ['--query-gpu=nope', '--format=csv']);
    assert.deepEqual([wrong.code, wrong.stdout], [2, 'Field "nope" is not a valid field to query.\n\n']);
  });

  it('lists the GPUs and prints a table', async () => {
    using machine = new Machine();
    machine.write('machine.json', { gpuName: 'H100', gpuCount: 1, vramMb: 81559, driver: '570.172.08' });
    assert.match(
      (await machine.run('nvidia-smi', ['-L'])).stdout,
      /^GPU 0: NVIDIA H100 \(UUID: GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\)\n$/,
    );
    const table = (await machine.run('nvidia-smi', [])).stdout;
    assert.match(table, /Driver Version: 570\.172\.08 +CUDA Version: 12\.8/);
    assert.match(table, /No running processes found/);
    const widths = new Set(
      table
        .split('\n')
        .filter((line) => /^[|+]/.test(line))
        .map((line) => line.length),
    );
    assert.deepEqual([...widths], [91]);
  });

  it('is busy while a container uses the GPU', async () => {
    using machine = new Machine().withImages();
    machine.gate('gate');
    await machine.docker(
      ...[
        'run',
        '-q',
        '-d',
        '--gpus',
        'device=1',
        '-v',
        `${machine.home}:/ctl`,
        'ubuntu',
        'bash',
        '-c',
        'read -r _ < /ctl/gate',
      ],
    );
    const query = await machine.run('nvidia-smi', [
      '--query-gpu=utilization.gpu,memory.used',
      '--format=csv,noheader,nounits',
    ]);
    const [idle = [], busy = []] = query.stdout.split('\n').map((line) => line.split(', ').map(Number));
    assert.deepEqual(idle, [0, 1]);
    assert.ok((busy[0] ?? 0) > 50 && (busy[1] ?? 0) > 10_000, query.stdout);
    const apps = await machine.run('nvidia-smi', [
      '--query-compute-apps=pid,used_memory',
      '--format=csv,noheader',
    ]);
    assert.match(apps.stdout, /^\d+, \d+ MiB\n$/);
  });

  it('without a driver it fails as the real one does', async () => {
    using machine = new Machine();
    machine.write('no-gpu', '');
    const outcome = await machine.run('nvidia-smi', []);
    assert.equal(outcome.code, 9);
    assert.match(
      outcome.stdout,
      /^NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver\./,
    );
  });
});
