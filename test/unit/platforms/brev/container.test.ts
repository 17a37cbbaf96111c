import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { containerArguments, SPEC_PATH } from '../../../../src/platforms/brev/container.ts';
import { taoCommand } from '../../../../src/tao/taoCommand.ts';
import { SPEC } from './dockerMachine.ts';

const JOB = 'segformer-train-0a1b2c';

function argumentsOf(change: Readonly<Record<string, unknown>> = {}, withSecrets = false): readonly string[] {
  assert.ok(SPEC.kind === 'spec');
  const run = { ...SPEC.spec, ...change };
  return containerArguments(JOB, run, taoCommand(run, SPEC_PATH), withSecrets);
}

const valuesOf = (args: readonly string[], flag: string) =>
  args.flatMap((word, index) => (args[index - 1] === flag ? [word] : []));

describe('the arguments of a container', () => {
  it('copy the inputs before the program starts, and ask for no GPUs where the machine has none', () => {
    const args = argumentsOf({
      gpus: 0,
      inputs: [{ kind: 'folder', uri: "s3://b/it's/", path: '/data/in' }],
    });
    const script = args[args.indexOf('-c') + 1] ?? '';
    assert.ok(!args.includes('--gpus'));
    assert.match(
      script,
      /^exec 2>&1\n[\s\S]*\ncopy folder 's3:\/\/b\/it'\\''s\/' '\/data\/in' \|\| .*exit 66; \}\nexec "\$@"$/,
    );
  });

  it('name and label it after the job, keep it after its end, and start it once', () => {
    const args = argumentsOf();
    assert.deepEqual(valuesOf(args, '--name'), [JOB]);
    assert.ok(valuesOf(args, '--label').includes(`tao-job=${JOB}`));
    assert.deepEqual(valuesOf(args, '--restart'), ['no']);
    assert.ok(!args.includes('--rm'));
    assert.ok(!args.includes('--privileged'));
  });

  it('give it the shared memory that data loaders need', () => {
    const args = argumentsOf();
    assert.ok(args.includes('--ipc=host') || args.some((word) => word.startsWith('--shm-size')));
    assert.ok(valuesOf(args, '--ulimit').includes('memlock=-1'));
  });

  it('give it all GPUs, or as many as are asked for', () => {
    assert.deepEqual(valuesOf(argumentsOf(), '--gpus'), ['all']);
    assert.deepEqual(valuesOf(argumentsOf({ gpus: 4 }), '--gpus'), ['4']);
  });

  it('end with the image and the command, in the words of the entry point', () => {
    const args = argumentsOf();
    const image = args.indexOf('nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt');
    assert.ok(image > 0);
    assert.deepEqual(args.slice(-4), ['segformer', 'train', '-e', '/job/spec.yaml']);
  });

  it('run what the action is by the catalogue, on as many GPUs as the user has chosen', () => {
    const commandOf = (change: Readonly<Record<string, unknown>>): string => {
      const args = argumentsOf(change);
      return args.slice(args.indexOf('brev-instances') + 1).join(' ');
    };
    const gpuIds = { name: 'spec.yaml', content: Buffer.from('train:\n  gpu_ids: [0]\n') };
    const cases: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
      [{ network: 'ocdnet', action: 'retrain' }, 'ocdnet train -e /job/spec.yaml'],
      [{ network: 'depth_net_mono', action: 'train' }, 'depth_net train -e /job/spec.yaml'],
      [
        { network: 'visual_changenet', action: 'segment_train', gpus: 2 },
        'visual_changenet train -e /job/spec.yaml train.num_gpus=2',
      ],
      [
        { network: 'nvpanoptix3d', action: 'train' },
        'python -m nvidia_tao_pytorch.cv.nvpanoptix3d.entrypoint.nvpanoptix3d train -e /job/spec.yaml',
      ],
      [{ network: 'rtdetr', gpus: 8 }, 'rtdetr train -e /job/spec.yaml train.num_gpus=8'],
      [
        { network: 'rtdetr', gpus: 2, specFile: gpuIds },
        'rtdetr train -e /job/spec.yaml train.num_gpus=2 train.gpu_ids=[0,1]',
      ],
      [{ network: 'rtdetr', action: 'export', gpus: 1 }, 'rtdetr export -e /job/spec.yaml'],
      [{ network: 'of_my_own', action: 'go' }, 'of_my_own go -e /job/spec.yaml'],
    ];
    for (const [change, command] of cases) assert.equal(commandOf(change), command);
  });

  it('show Python’s output as it comes, and limit docker’s own log', () => {
    const args = argumentsOf();
    assert.ok(valuesOf(args, '--env').includes('PYTHONUNBUFFERED=1'));
    assert.ok(valuesOf(args, '--log-opt').some((word) => word.startsWith('max-size=')));
  });

  it('hold no secret, only where it is read', () => {
    const args = argumentsOf({}, true);
    assert.deepEqual(
      valuesOf(args, '--env').map((word) => word.split('=')[0]),
      ['PYTHONUNBUFFERED', 'TAO_JOB_ID'],
    );
    assert.ok(valuesOf(args, '-v').length === valuesOf(argumentsOf(), '-v').length + 1);
    assert.deepEqual(args.slice(-4), ['segformer', 'train', '-e', '/job/spec.yaml']);
  });

  it('mount the spec for reading only, and keep the results', () => {
    const mounts = valuesOf(argumentsOf(), '-v');
    assert.ok(mounts.some((mount) => mount.endsWith('/job/spec.yaml:ro')));
    assert.ok(mounts.some((mount) => mount.endsWith(':/results')));
    assert.ok(mounts.some((mount) => mount.endsWith('/data:/data')));
  });
});
