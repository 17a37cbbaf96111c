import assert from 'node:assert/strict';
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { TAO_IMAGE } from './machine.ts';
import { assertSaid, runTao, SPEC, statusLines, TRAIN, taoMachine } from './tao-run.ts';

/** The epoch bar as contract part 3 describes it. */
const EPOCH_BAR =
  /Epoch (\d+):\s+(\d+)%\|[^|]*\| (\d+)\/(\d+|\?) \[([\d:]+)<([\d:?]+),\s*([\d.?]+)(it\/s|s\/it)(?:, (.*?))?\]/g;

const ESCAPE = '\x1b';

describe('a TAO training that goes well', { concurrency: 2 }, () => {
  it('prints bars that end in a carriage return, and glues the next words to the last one', async () => {
    using machine = taoMachine();
    const { code, stdout } = await runTao(machine, TRAIN);
    assert.equal(code, 0);
    const bars = [...stdout.matchAll(EPOCH_BAR)];
    assert.deepEqual([...new Set(bars.map(([, epoch]) => epoch))], ['0', '1', '2']);
    assert.ok(bars.length >= 3 * 20);
    assertSaid(
      bars.at(-1)?.[9] ?? '',
      /^v_num=1, train_loss_step=[\d.]+, lr=[\d.e-]+, val_loss=[\d.]+, val_miou=[\d.]+, train_loss_epoch=[\d.]+$/,
    );
    assertSaid(stdout, /\rEpoch 1: {2}50%\|#{5} {5}\| 10\/20 \[/);
    assertSaid(stdout, /train_loss_epoch=[\d.]+\]`Trainer\.fit` stopped: `max_epochs=3` reached\.\n/);
    assertSaid(stdout, /\rSanity Checking DataLoader 0: {3}0%\|/);
    assertSaid(
      stdout,
      new RegExp(`\\n\\rValidation DataLoader 0: 100%\\|#{10}\\| 4/4 \\[.*\\]${ESCAPE}\\[A\\n`),
    );
  });

  it('says the device, the results folder and the verdict', async () => {
    using machine = taoMachine();
    const { stdout, stderr } = await runTao(machine, TRAIN);
    assertSaid(stdout, /^Train results will be saved at: \/results\/train$/m);
    assertSaid(stdout, /^GPU available: True \(cuda\), used: True$/m);
    assertSaid(stdout, /\rLOCAL_RANK: 0 - CUDA_VISIBLE_DEVICES: \[0\][\r\n]/);
    const tao = new RegExp(
      `^${ESCAPE}\\[38;20m\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3} - \\[TAO Toolkit\\] - INFO - Execution status: PASS \\(entrypoint\\.py:\\d+\\)${ESCAPE}\\[0m$`,
      'gm',
    );
    assert.equal([...stderr.matchAll(tao)].length, 2);
    assertSaid(
      stderr,
      /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} - TAO Toolkit - TAO Toolkit - INFO\] Execution status: PASS$/m,
    );
  });

  it('without PYTHONUNBUFFERED the printed line comes when the child ends', async () => {
    using machine = taoMachine();
    const { stdout } = await runTao(machine, TRAIN, '-e', 'PYTHONUNBUFFERED=');
    assertSaid(stdout, /reached\.[^`]*Train results will be saved at: \/results\/train\n$/);
  });

  it('writes status.json: no SUCCESS, epochs from 0, eta texts, a kpi that sticks', async () => {
    using machine = taoMachine();
    await runTao(machine, TRAIN);
    const lines = statusLines(machine);
    assert.deepEqual(
      lines.map(({ status, message }) => `${status} ${message}`),
      [
        'STARTED Starting Segformer train.',
        'STARTED Starting Training Loop.',
        ...[0, 1, 2].flatMap(() => [
          'RUNNING Eval metrics generated.',
          'RUNNING Train metrics generated.',
          'RUNNING Training loop in progress',
        ]),
        'RUNNING Training loop complete.',
        'RUNNING Train finished successfully.',
      ],
    );
    const epochs = lines.filter((line) => 'epoch' in line);
    assert.deepEqual(
      epochs.map(({ epoch, step, max_epoch, max_step }) => [epoch, step, max_epoch, max_step]),
      [0, 1, 2].map((epoch) => [epoch, (epoch + 1) * 20, 2, 60]),
    );
    for (const { time_per_epoch, time_per_step, eta } of epochs) {
      for (const time of [time_per_epoch, time_per_step, eta])
        assertSaid(String(time), /^\d+:\d\d:\d\d(\.\d{6})?$/);
    }
    assert.deepEqual(lines.at(-1)?.kpi, epochs.at(-1)?.kpi);
    const raw = machine.read('home/results/train/status.json').split('\n')[0];
    assertSaid(
      raw ?? '',
      /^\{"date": "\d{1,2}\/\d{1,2}\/\d{4}", "time": "\d{1,2}:\d{1,2}:\d{1,2}", "status": "STARTED", "verbosity": "INFO", "message": "Starting Segformer train\."\}$/,
    );
  });

  it('the loss falls, and the same job plays the same numbers', async () => {
    using machine = taoMachine();
    await runTao(machine, TRAIN, '-e', 'TAO_JOB_ID=seed-1');
    await machine.docker('rm', 'job');
    await runTao(machine, [...TRAIN, 'results_dir=/results/again'], '-e', 'TAO_JOB_ID=seed-1');
    const kpis = (path?: string): unknown[] => statusLines(machine, path).map(({ kpi }) => kpi);
    const first = kpis();
    assert.deepEqual(kpis('home/results/again/train/status.json'), first);
    const losses = statusLines(machine)
      .filter(({ message }) => message === 'Training loop in progress')
      .map(({ kpi }) => JSON.stringify(kpi))
      .map((text) => Number(/"train_loss":([\d.]+)/.exec(text)?.[1]));
    assert.ok((losses[0] ?? 0) > 2 * (losses[2] ?? 0), losses.join(' '));
  });

  it('leaves checkpoints with a latest link, the spec and the event file', async () => {
    using machine = taoMachine();
    await runTao(machine, TRAIN);
    const folder = join(machine.home, 'results/train');
    assert.deepEqual(readdirSync(folder).sort(), [
      'experiment.yaml',
      'lightning_logs',
      'model_epoch_000_step_00020.pth',
      'model_epoch_001_step_00040.pth',
      'model_epoch_002_step_00060.pth',
      'segformer_model_latest.pth',
      'status.json',
    ]);
    assert.ok(lstatSync(join(folder, 'segformer_model_latest.pth')).isSymbolicLink());
    assert.equal(readlinkSync(join(folder, 'segformer_model_latest.pth')), 'model_epoch_002_step_00060.pth');
    assertSaid(readdirSync(join(folder, 'lightning_logs/version_1')).join(' '), /events\.out\.tfevents\.\d+/);
  });

  it('a second run in the same folder goes on from the latest checkpoint and appends to status.json', async () => {
    using machine = taoMachine();
    await runTao(machine, TRAIN);
    await machine.docker('rm', 'job');
    const { stdout } = await runTao(machine, [...TRAIN, 'train.num_epochs=5']);
    assertSaid(
      stdout,
      /Restoring states from the checkpoint path at \/results\/train\/model_epoch_002_step_00060\.pth/,
    );
    const epochs = statusLines(machine).flatMap(({ epoch }) => (typeof epoch === 'number' ? [epoch] : []));
    assert.deepEqual(epochs, [0, 1, 2, 3, 4]);
  });

  it('the train folder of its own wins over results_dir, and DINO writes its mAP as text', async () => {
    using machine = taoMachine(SPEC.replace('num_gpus: 1', 'num_gpus: 1\n  results_dir: /results/mine'));
    await runTao(machine, ['dino', 'train', '-e', '/data/spec.yaml']);
    const last = statusLines(machine, 'home/results/mine/status.json').at(-1);
    assertSaid(JSON.stringify(last?.kpi), /"val_mAP":"0\.\d{4}","val_mAP50":"0\.\d{4}"/);
  });

  it('docker logs holds the two streams that a foreground client got', async () => {
    using machine = taoMachine();
    const live = await runTao(machine, TRAIN);
    const logs = await machine.docker('logs', 'job');
    assert.deepEqual([logs.stdout, logs.stderr], [live.stdout, live.stderr]);
  });

  it('evaluate, inference and export work on the checkpoint of a training', async () => {
    using machine = taoMachine();
    await runTao(machine, TRAIN);
    for (const [action, artifact, said] of [
      ['evaluate', 'status.json', /Testing DataLoader 0: 100%\|.*\]┏━/],
      ['inference', 'inference.csv', /\rPredicting DataLoader 0: 100%/],
      ['export', 'segformer_model.onnx', /ONNX file stored at \/results\/export\/segformer_model\.onnx/],
    ] as const) {
      await machine.docker('rm', 'job');
      const checkpoint = `${action}.checkpoint=/results/train/segformer_model_latest.pth`;
      const outcome = await runTao(machine, ['segformer', action, '-e', '/data/spec.yaml', checkpoint]);
      assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr);
      assertSaid(outcome.stdout, said);
      machine.read(`home/results/${action}/${artifact}`);
      const last = statusLines(machine, `home/results/${action}/status.json`).at(-1);
      assert.equal(
        last?.message,
        `${action.charAt(0).toUpperCase()}${action.slice(1)} finished successfully.`,
      );
    }
  });

  it('the same command works in a shell of the image, with the shell’s own redirections', async () => {
    using machine = taoMachine();
    const script =
      'set -e; mkdir -p /results/logs; segformer train -e /data/spec.yaml results_dir=/results/x 2>&1 | tee /results/logs/run.log | tail -c 200; nvidia-smi -L; pwd';
    const outcome = await runTao(machine, ['/bin/bash', '-c', script]);
    assert.equal(outcome.code, 0, outcome.stderr);
    assertSaid(outcome.stdout, /Execution status: PASS/);
    assertSaid(outcome.stdout, /GPU 0: NVIDIA L40S \(UUID: GPU-[0-9a-f-]{36}\)/);
    const log = machine.read('home/results/logs/run.log');
    assertSaid(log, /Train results will be saved at: \/results\/x\/train/);
    assert.doesNotMatch(log, new RegExp(machine.dir));
    machine.read('home/results/x/train/status.json');
  });

  it('a container without the mount keeps its results for itself', async () => {
    using machine = taoMachine();
    const outcome = await machine.docker(
      ...[
        'run',
        '-q',
        '--name',
        'job',
        '--gpus',
        'all',
        '-v',
        `${machine.home}:/data:ro`,
        TAO_IMAGE,
        ...TRAIN,
      ],
    );
    assert.equal(outcome.code, 0, outcome.stderr);
    const id = await machine.inspect('job', '{{.Id}}');
    assertSaid(
      machine.read(`docker/containers/${id}/rootfs/results/train/status.json`),
      /finished successfully/,
    );
  });
});
