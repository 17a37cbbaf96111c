import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { TAO_IMAGE } from './machine.ts';
import { assertSaid, runTao, SPEC, statusLines, TRAIN, taoMachine } from './tao-run.ts';

interface Case {
  scenario: string;
  code: number;
  /** What stands in the output, both streams joined. */
  said: RegExp[];
  /** The last line of status.json; undefined when there must be none of the kind FAILURE. */
  failure?: RegExp;
}

const PASS = /Execution status: PASS/;
const FAIL = /WARNING - Execution status: FAIL/;

const CASES: Case[] = [
  {
    scenario: 'cuda-oom',
    code: 1,
    said: [
      /^torch\.OutOfMemoryError: CUDA out of memory\. Tried to allocate 2\.50 GiB\. GPU 0 has/m,
      /Traceback \(most recent call last\):/,
      FAIL,
    ],
  },
  {
    scenario: 'device-assert',
    code: 1,
    said: [/RuntimeError: CUDA error: device-side assert triggered/, FAIL],
  },
  {
    scenario: 'bus-error',
    code: 1,
    said: [
      /RuntimeError: DataLoader worker \(pid \d+\) is killed by signal: Bus error\. It is possible that dataloader's workers are out of shared memory\./,
      FAIL,
    ],
  },
  {
    scenario: 'missing-file',
    code: 1,
    said: [
      /FileNotFoundError: \[Errno 2\] No such file or directory: '\/data\/annotations\/train\.csv'/,
      FAIL,
    ],
    failure: /^File system error: \[Errno 2\] No such file or directory: /,
  },
  {
    scenario: 'no-space',
    code: 1,
    said: [/OSError: \[Errno 28\] No space left on device/, FAIL],
    failure: /^File system error: \[Errno 28\]/,
  },
  {
    scenario: 'gated-model',
    code: 1,
    said: [/You are trying to access a gated repo\./, /401 Client Error/, FAIL],
    failure: /^File system error: You are trying to access a gated repo/,
  },
  {
    scenario: 'user-interrupt',
    code: 0,
    said: [/Detected KeyboardInterrupt/, PASS],
    failure: /^User\/System interruption: Train was interrupted$/,
  },
  {
    scenario: 'false-pass',
    code: 0,
    said: [/ValueError: need at least one array to concatenate/, PASS],
    failure: /^Parameter validation error: /,
  },
  { scenario: 'nan-loss', code: 0, said: [/train_loss_step=nan\.0, /, /val_loss=nan\.0, /, PASS] },
  {
    scenario: 'nccl-timeout',
    code: 1,
    said: [
      /Initializing distributed: GLOBAL_RANK: 1, MEMBER: 2\/2/,
      /\r\[rank1\]:\[E\d{4} [\d:.]+ ProcessGroupNCCL\.cpp:632\] \[Rank 1\] Watchdog caught collective operation timeout: WorkNCCL\(SeqNum=88, OpType=ALLREDUCE, /,
      /torch\.distributed\.DistBackendError: NCCL error in: /,
      FAIL,
    ],
  },
  {
    scenario: 'multi-gpu',
    code: 0,
    said: [/\r\[rank1\]:\[W/, /LOCAL_RANK: 1 - CUDA_VISIBLE_DEVICES: \[0,1\]/, PASS],
  },
];

describe('a TAO training that goes wrong', { concurrency: 2 }, () => {
  for (const { scenario, code, said, failure } of CASES) {
    it(scenario, async () => {
      using machine = taoMachine();
      const outcome = await runTao(machine, TRAIN, '-e', `TAO_SIM_SCENARIO=${scenario}`);
      const text = outcome.stdout + outcome.stderr;
      assert.equal(outcome.code, code);
      for (const pattern of said) assertSaid(text, pattern);
      const failures = statusLines(machine).filter(({ status }) => status === 'FAILURE');
      if (failure === undefined) assert.deepEqual(failures, []);
      else assert.match(String(failures.at(-1)?.message), failure);
      assert.ok(!statusLines(machine).some(({ status }) => status === 'SUCCESS'));
    });
  }

  it('passing-failure: a FAILURE line in the middle of a run that ends well', async () => {
    using machine = taoMachine();
    const outcome = await runTao(machine, TRAIN, '-e', 'TAO_SIM_SCENARIO=passing-failure');
    assert.equal(outcome.code, 0);
    const statuses = statusLines(machine).map(({ status }) => status);
    assert.ok(statuses.includes('FAILURE'));
    assert.equal(statuses.at(-1), 'RUNNING');
  });

  it('bad-key: hydra refuses before there is a status file; a wrong key of the user’s own does the same', async () => {
    using machine = taoMachine(`${SPEC}epochs: 3\n`);
    const outcome = await runTao(machine, TRAIN);
    assert.equal(outcome.code, 1);
    assertSaid(outcome.stdout, /Key 'epochs' not in 'ExperimentConfig'\n {4}full_key: epochs\n/);
    assertSaid(outcome.stderr, FAIL);
    assert.ok(!existsSync(join(machine.home, 'results/train/status.json')));
  });

  for (const [scenario, oom] of [
    ['killed', 'false'],
    ['host-oom', 'true'],
  ] as const) {
    it(`${scenario}: neither verdict, exit 137, OOMKilled ${oom}`, async () => {
      using machine = taoMachine();
      const outcome = await runTao(machine, TRAIN, '-e', `TAO_SIM_SCENARIO=${scenario}`);
      assert.equal(outcome.code, 137);
      assert.doesNotMatch(outcome.stdout + outcome.stderr, /Execution status/);
      assertSaid(outcome.stdout, /Epoch 1: {2}45%\|/);
      assert.equal(await machine.inspect('job', '{{.State.OOMKilled}}'), oom);
    });
  }

  it('silent: not a byte', async () => {
    using machine = taoMachine();
    const outcome = await runTao(machine, TRAIN, '-e', 'TAO_SIM_SCENARIO=silent');
    assert.deepEqual([outcome.code, outcome.stdout, outcome.stderr], [0, '', '']);
  });

  it('hang: bars, then nothing until it is killed; a stop waits its time in vain', async () => {
    using machine = taoMachine();
    const live = machine.start('docker', [
      ...[
        'run',
        '-q',
        '--name',
        'job',
        '--gpus',
        'all',
        '-v',
        `${machine.home}:/data`,
        '-e',
        'TAO_SIM_SCENARIO=hang',
        '-e',
        'TAO_SIM_AT_EPOCH=0',
      ],
      TAO_IMAGE,
      ...TRAIN,
    ]);
    await live.until('\rEpoch 0:  45%');
    await machine.docker('stop', '-t', '1', 'job');
    assert.equal((await live.done).code, 137);
  });

  it('huge-log: all of it arrives', async () => {
    using machine = taoMachine();
    const outcome = await runTao(
      machine,
      TRAIN,
      '-e',
      'TAO_SIM_SCENARIO=huge-log',
      '-e',
      'TAO_SIM_MEGABYTES=3',
    );
    assert.equal(outcome.code, 0);
    assert.ok(outcome.bytes.length > 3 * 1024 * 1024);
    assert.equal((await machine.docker('logs', 'job')).bytes.length, outcome.bytes.length);
  });

  it('invalid-utf8 and ansi-split: the bytes are there', async () => {
    using machine = taoMachine();
    const broken = await runTao(machine, TRAIN, '-e', 'TAO_SIM_SCENARIO=invalid-utf8');
    assert.ok(broken.bytes.includes(Buffer.from([0x20, 0xff, 0xfe, 0x0a])));
    assert.ok(broken.bytes.includes(Buffer.from('学\n')));
    await machine.docker('rm', 'job');
    const split = await runTao(machine, TRAIN, '-e', 'TAO_SIM_SCENARIO=ansi-split');
    assert.ok(split.stdout.includes('\x1b[32mok\x1b[0m\n\x1b[1;31mred\x1b[0m plain\n'));
  });

  it('an interrupted launcher passes', async () => {
    using machine = taoMachine();
    const live = machine.start('docker', [
      ...[
        'run',
        '-q',
        '--name',
        'job',
        '--gpus',
        'all',
        '-v',
        `${machine.home}:/data`,
        '-e',
        'TAO_SIM_SCENARIO=hang',
        '-e',
        'TAO_SIM_AT_EPOCH=0',
      ],
      TAO_IMAGE,
      ...TRAIN,
    ]);
    await live.until('\rEpoch 0:  45%');
    await machine.docker('kill', '-s', 'INT', 'job');
    const outcome = await live.done;
    assert.deepEqual([outcome.code, PASS.test(outcome.stderr)], [0, true]);
  });

  it('a scenario may stand in the spec, and for the whole machine in a file', async () => {
    using machine = taoMachine(`${SPEC}sim:\n  scenario: cuda-oom\n  at_epoch: 0\n  steps: 4\n`);
    const outcome = await runTao(machine, TRAIN);
    assert.equal(outcome.code, 1);
    assertSaid(outcome.stdout, /Epoch 0: .*\| 1\/4 \[/);
    await machine.docker('rm', 'job');
    machine.write('home/spec.yaml', SPEC);
    machine.write('tao-scenario', 'gated-model\n');
    assertSaid((await runTao(machine, TRAIN)).stdout, /gated repo/);
  });

  it('failures of the user’s own making: no spec, no such spec, no data, no GPU, too few GPUs, no user', async () => {
    using machine = taoMachine();
    const attempts: [string[], string[], number, RegExp][] = [
      [
        ['segformer', 'train'],
        [],
        1,
        /^ERROR: The subtask `train` requires the following argument: -e\/--experiment_spec_file$/m,
      ],
      [
        ['segformer', 'train', '-e', '/data/none.yaml'],
        [],
        1,
        /^ERROR: The indicated experiment spec file `\/data\/none\.yaml` doesn't exist!$/m,
      ],
      [['segformer', 'fly', '-e', '/data/spec.yaml'], [], 2, /invalid choice: 'fly'/],
      [
        [...TRAIN, 'dataset.root_dir=/data/images'],
        [],
        1,
        /FileNotFoundError: \[Errno 2\] No such file or directory: '\/data\/images'/,
      ],
      [
        [...TRAIN, 'train.num_gpus=3'],
        [],
        1,
        /\r\[rank0\]: .*You requested gpu: \[0, 1, 2\]\r\[rank0\]: {2}But your machine only has: \[0, 1\]/,
      ],
      [TRAIN, ['--user', '1000:1000'], 1, /KeyError: 'getpwuid\(\): uid not found: 1000'/],
    ];
    for (const [command, flags, code, said] of attempts) {
      const outcome = await runTao(machine, command, ...flags);
      assertSaid(outcome.stdout + outcome.stderr, said);
      assert.equal(outcome.code, code);
      await machine.docker('rm', 'job');
    }
    const bare = await machine.docker('run', '-q', '-v', `${machine.home}:/data`, TAO_IMAGE, ...TRAIN);
    assertSaid(bare.stdout, /GPU available: False, used: False/);
    assertSaid(bare.stdout, /No supported gpu backend found!/);
    assert.equal(bare.code, 1);
  });

  it('torchrun: ranks, and its own error when a child fails', async () => {
    using machine = taoMachine();
    const outcome = await runTao(
      machine,
      ['rtdetr', 'train', '-e', '/data/spec.yaml'],
      '-e',
      'TAO_SIM_SCENARIO=cuda-oom',
    );
    assertSaid(outcome.stdout, /torch\.distributed\.elastic\.multiprocessing\.errors\.ChildFailedError/);
    assertSaid(outcome.stdout, / {2}exitcode {2}: 1 \(pid: \d+\)/);
    await machine.docker('rm', 'job');
    const ranks = await runTao(machine, [
      'torchrun',
      '--nproc-per-node=2',
      'segformer',
      'train',
      '-e',
      '/data/spec.yaml',
    ]);
    assert.equal(ranks.code, 0, ranks.stdout);
    assertSaid(ranks.stdout, /All distributed processes registered\. Starting with 2 processes/);
  });
});
