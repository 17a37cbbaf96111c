import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Trouble } from '../../../../src/tao/log/trouble.ts';
import { eventsOf } from '../recordedLogs.ts';

function troublesOf(text: string): readonly Trouble[] {
  return eventsOf(text).flatMap((event) => (event.kind === 'trouble' ? [event.trouble] : []));
}

/** What was known at the end of each kind. */
function troubleOf(text: string): Trouble | undefined {
  return troublesOf(text).at(-1);
}

const RUNNING = 'Train results will be saved at: /results/train\n';

describe('what went wrong, by the words of a log', () => {
  it('CUDA out of memory, in the words of PyTorch 2 and 1, MiB and bytes', () => {
    assert.deepEqual(
      troubleOf(
        'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 44.40 GiB of which 1.10 GiB is free. Process 1 has …\n',
      ),
      { kind: 'cudaOutOfMemory', gpu: 0, triedGib: 2.5, freeGib: 1.1, totalGib: 44.4, rank: undefined },
    );
    assert.deepEqual(
      troubleOf(
        '[rank3]: RuntimeError: CUDA out of memory. Tried to allocate 512.00 MiB (GPU 3; 31.75 GiB total capacity; 30.26 GiB already allocated; 64.00 MiB free; 30.36 GiB reserved in total by PyTorch)\n',
      ),
      { kind: 'cudaOutOfMemory', gpu: 3, triedGib: 0.5, freeGib: 0.06, totalGib: 31.75, rank: 3 },
    );
    assert.equal(troubleOf('RuntimeError: CUDA error: out of memory\n')?.kind, 'cudaOutOfMemory');
  });

  it('of several ranks the first one that fails counts', () => {
    const line = (rank: number) =>
      `[rank${rank}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${rank}.00 GiB. GPU ${rank} has a total capacity of 40.00 GiB of which 1.00 GiB is free.\n`;
    const troubles = troublesOf(line(2) + line(0) + line(1));
    assert.deepEqual(
      troubles.map((trouble) => trouble.kind === 'cudaOutOfMemory' && trouble.rank),
      [2],
    );
  });

  it('NCCL (samples 9 and 10)', () => {
    assert.deepEqual(
      troubleOf(
        '[rank1]:[E307 10:02:11.5 ProcessGroupNCCL.cpp:632] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=88, OpType=ALLREDUCE, NumelIn=1, Timeout(ms)=600000) ran for 600041 milliseconds before timing out.\n',
      ),
      { kind: 'ncclTimeout', rank: 1, operation: 'ALLREDUCE', seconds: 600 },
    );
    assert.deepEqual(
      troubleOf(
        'torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/NCCLUtils.hpp:268, unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.21.5\n',
      ),
      {
        kind: 'ncclError',
        rank: undefined,
        text: 'unhandled system error (run with NCCL_DEBUG=INFO for details)',
      },
    );
  });

  it('files, disks, rights', () => {
    const cases: readonly (readonly [text: string, trouble: Trouble])[] = [
      [
        `${RUNNING}FileNotFoundError: [Errno 2] No such file or directory: '/data/a.csv'\n`,
        { kind: 'missingFile', path: '/data/a.csv' },
      ],
      [
        `${RUNNING}FileNotFoundError: [Errno 2] No such file or directory: "/data/it's.csv"\n`,
        { kind: 'missingFile', path: "/data/it's.csv" },
      ],
      [
        "ERROR: The indicated experiment spec file `/data/none.yaml` doesn't exist!\n",
        { kind: 'missingFile', path: '/data/none.yaml' },
      ],
      [
        `${RUNNING}OSError: [Errno 28] No space left on device: '/results/x.pth'\n`,
        { kind: 'diskFull', path: '/results/x.pth' },
      ],
      [`${RUNNING}RuntimeError: No space left on device\n`, { kind: 'diskFull', path: undefined }],
      [
        `${RUNNING}RuntimeError: unable to write to file </torch_412_1>: No space left on device (28)\n`,
        { kind: 'sharedMemory' },
      ],
      [
        `${RUNNING}OSError: [Errno 30] Read-only file system: '/job/x'\n`,
        { kind: 'readOnlyPlace', path: '/job/x' },
      ],
      [
        `${RUNNING}PermissionError: [Errno 13] Permission denied: '/data/x'\n`,
        { kind: 'noPermission', path: '/data/x' },
      ],
      ["KeyError: 'getpwuid(): uid not found: 1000'\n", { kind: 'noUser', uid: '1000' }],
      [
        `RuntimeError: DataLoader worker (pid 412) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory.\n`,
        { kind: 'sharedMemory' },
      ],
      [
        `RuntimeError: DataLoader worker (pid 412) is killed by signal: Killed.\n`,
        { kind: 'hostOutOfMemory' },
      ],
      ['  exitcode  : -9 (pid: 88)\n', { kind: 'workerKilled', signal: 9 }],
    ];
    for (const [text, trouble] of cases) assert.deepEqual(troubleOf(text), trouble, text);
    assert.equal(troubleOf('  exitcode  : 1 (pid: 88)\n'), undefined);
  });

  it('keys and values of the spec, with the key in full', () => {
    const unknown =
      "In 'spec': ConfigKeyError raised while composing config:\nKey 'num_epoch' not in 'TrainConfig'\n    full_key: train.num_epoch\n    object_type=TrainConfig\n";
    assert.deepEqual(troubleOf(unknown), { kind: 'unknownSpecKey', key: 'train.num_epoch' });
    assert.deepEqual(
      troubleOf(
        "Value 'abc' of type 'str' could not be converted to Integer\n    full_key: train.num_epochs\n",
      ),
      {
        kind: 'badSpecValue',
        key: 'train.num_epochs',
        text: "Value 'abc' of type 'str' could not be converted to Integer",
      },
    );
    assert.deepEqual(
      troubleOf(
        'omegaconf.errors.MissingMandatoryValue: Missing mandatory value: dataset.segment.root_dir\n',
      ),
      { kind: 'missingSpecValue', key: 'dataset.segment.root_dir' },
    );
    assert.deepEqual(
      troubleOf(
        'ValueError: You need to set at least one of following fields: results_dir, {mode}.results_dir\n',
      ),
      { kind: 'missingSpecValue', key: 'results_dir' },
    );
    assert.equal(troubleOf("KeyError: 'x' not in 'y'\n"), undefined);
  });

  it('drivers and the GPU runtime', () => {
    const kinds: Readonly<Record<string, string>> = {
      'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].':
        'gpuRuntimeMissing',
      'nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown.':
        'gpuRuntimeMissing',
      'nvidia-container-cli: requirement error: unsatisfied condition: cuda>=13.0': 'driverTooOld',
      'RuntimeError: The NVIDIA driver on your system is too old (found version 11040).': 'driverTooOld',
      'CUDA driver version is insufficient for CUDA runtime version': 'driverTooOld',
      'RuntimeError: CUDA error: no kernel image is available for execution on the device': 'gpuUnsupported',
      'RuntimeError: CUDA error: uncorrectable ECC error encountered': 'gpuFault',
    };
    for (const [text, kind] of Object.entries(kinds)) assert.equal(troubleOf(`${text}\n`)?.kind, kind, text);
  });

  it('pulls, each kind with its own way out (sample 13; users.md F)', () => {
    const whys: Readonly<Record<string, string>> = {
      'Error response from daemon: Head "https://nvcr.io/v2/nvidia/tao/tao-toolkit/manifests/1.0": unauthorized: authentication required':
        'loginNeeded',
      'unauthorized: authentication required': 'loginNeeded',
      'Error response from daemon: pull access denied for x, repository does not exist or may require docker login: denied: requested access':
        'loginNeeded',
      'failed to fetch oauth token: unexpected status from GET request to https://nvcr.io/proxy_auth: 403 Forbidden':
        'noEntitlement',
      'failed to fetch anonymous token: unexpected status: 401 Unauthorized': 'registryHiccup',
      'manifest unknown: manifest unknown': 'noSuchImage',
      'toomanyrequests: You have reached your pull rate limit.': 'rateLimit',
      'failed to register layer: write /usr/lib/x.so: no space left on device': 'diskFull',
      'Error response from daemon: Get "https://nvcr.io/v2/": net/http: TLS handshake timeout': 'network',
      'The login to nvcr.io was refused: Error response from daemon: unauthorized': 'loginRefused',
    };
    for (const [text, why] of Object.entries(whys)) {
      const troubles = troublesOf(`Unable to find image 'nvcr.io/x:1' locally\n${text}\n`);
      assert.deepEqual(
        troubles.map((trouble) => (trouble.kind === 'imagePull' ? trouble.why : trouble.kind)),
        [why],
        text,
      );
    }
  });

  it('is not looked for in the image once the program runs', () => {
    assert.deepEqual(
      troublesOf(`${RUNNING}wandb: 401 unauthorized: bad key, manifest unknown, toomanyrequests\n`),
      [],
    );
    assert.deepEqual(
      troublesOf("Error response from daemon: No such container: 0123\nWhat's next: Try Docker Debug\n"),
      [],
    );
  });
});

describe('an image being pulled', () => {
  it('tells its layers, and its end (sample 12)', () => {
    const log = [
      "Unable to find image 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt' locally",
      '7.1.0-pyt: Pulling from nvidia/tao/tao-toolkit',
      'a1b2c3d4e5f6: Already exists',
      'b1b2c3d4e5f6: Pulling fs layer',
      'b1b2c3d4e5f6: Downloading',
      'b1b2c3d4e5f6: Pull complete',
      'b1b2c3d4e5f6: Pull complete',
      'Digest: sha256:00',
      'Status: Downloaded newer image for nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt',
      '',
    ].join('\n');
    assert.deepEqual(
      eventsOf(log).map((event) =>
        event.kind === 'pull'
          ? `${event.done}/${event.layers}`
          : event.kind === 'phase'
            ? event.phase
            : event.kind,
      ),
      ['pull', '1/1', '1/2', '2/2', 'load'],
    );
  });
});
