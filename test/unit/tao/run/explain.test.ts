import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { likeliest, type Trouble } from '../../../../src/tao/log/trouble.ts';
import { explain } from '../../../../src/tao/run/explain.ts';
import { inEnglish } from '../../../../src/values/message.ts';

const OUT_OF_MEMORY: Trouble = {
  kind: 'cudaOutOfMemory',
  gpu: 1,
  triedGib: 2.5,
  freeGib: 1.1,
  totalGib: 44.4,
  rank: 1,
};
const ALL: readonly Trouble[] = [
  OUT_OF_MEMORY,
  { ...OUT_OF_MEMORY, gpu: undefined, triedGib: undefined },
  { ...OUT_OF_MEMORY, freeGib: undefined },
  { kind: 'hostOutOfMemory' },
  { kind: 'sharedMemory' },
  { kind: 'ncclTimeout', rank: 0, operation: 'ALLREDUCE', seconds: 600 },
  { kind: 'ncclTimeout', rank: 0, operation: undefined, seconds: undefined },
  { kind: 'ncclError', rank: 0, text: 'unhandled system error' },
  { kind: 'diskFull', path: '/results/x' },
  { kind: 'diskFull', path: undefined },
  { kind: 'missingFile', path: '/data/x' },
  { kind: 'readOnlyPlace', path: '/job/x' },
  { kind: 'readOnlyPlace', path: undefined },
  { kind: 'noPermission', path: '/data/x' },
  { kind: 'noPermission', path: undefined },
  { kind: 'unknownSpecKey', key: 'train.x' },
  { kind: 'badSpecValue', key: 'train.x', text: "Value 'a'" },
  { kind: 'badSpecValue', key: undefined, text: "Value 'a'" },
  { kind: 'missingSpecValue', key: 'results_dir' },
  { kind: 'gatedModel', model: 'a/b', hasToken: true },
  { kind: 'gatedModel', model: undefined, hasToken: false },
  ...(
    [
      'loginNeeded',
      'loginRefused',
      'noEntitlement',
      'noSuchImage',
      'diskFull',
      'rateLimit',
      'registryHiccup',
      'network',
      'other',
    ] as const
  ).map((why): Trouble => ({ kind: 'imagePull', why, text: 'words' })),
  { kind: 'driverTooOld', text: 'cuda>=13.0' },
  { kind: 'gpuRuntimeMissing' },
  { kind: 'gpuUnsupported' },
  { kind: 'gpuFault', text: 'Xid 79' },
  { kind: 'tooFewGpus', asked: 3, there: 2 },
  { kind: 'tooFewGpus', asked: undefined, there: 2 },
  { kind: 'deviceAssert' },
  { kind: 'weightsMismatch' },
  { kind: 'emptyDataset' },
  { kind: 'noUser', uid: '1000' },
  { kind: 'workerKilled', signal: 9 },
  { kind: 'workerKilled', signal: 7 },
  { kind: 'workerKilled', signal: 11 },
  { kind: 'dockerDown' },
  { kind: 'interrupted' },
  { kind: 'nanLoss', metric: 'loss', epoch: 0 },
  { kind: 'nanLoss', metric: 'loss', epoch: undefined },
  { kind: 'killed', exitCode: 137 },
  { kind: 'exception', type: 'ValueError', text: 'no', rank: undefined },
  { kind: 'exception', type: 'ValueError', text: 'no', rank: 3 },
];

describe('explain', () => {
  it('has a whole sentence and an advice for every trouble', () => {
    for (const trouble of ALL) {
      const { sentence, advice } = explain(trouble);
      for (const words of [inEnglish(sentence), inEnglish(advice)]) {
        assert.match(words, /^\S.{10,}/, JSON.stringify(trouble));
        assert.doesNotMatch(words, /undefined|\{\d\}|NaN,/, JSON.stringify(trouble));
      }
    }
  });

  it('says how much memory was wanted, free and there', () => {
    assert.equal(
      inEnglish(explain(OUT_OF_MEMORY).sentence),
      'GPU 1 ran out of memory: 2.5 GiB more were wanted, 1.1 of its 44.4 GiB were free.',
    );
    assert.equal(explain(OUT_OF_MEMORY).action, 'pickOffer');
  });

  const helps: readonly (readonly [Trouble, string])[] = [
    [{ kind: 'sharedMemory' }, 'openSpec'],
    [{ kind: 'ncclTimeout', rank: 0, operation: undefined, seconds: 600 }, 'retryJob'],
    [{ kind: 'diskFull', path: undefined }, 'openShell'],
    [{ kind: 'missingFile', path: '/data/x' }, 'openSpec'],
    [{ kind: 'unknownSpecKey', key: 'a' }, 'openSpec'],
    [{ kind: 'gatedModel', model: undefined, hasToken: false }, 'enterHfToken'],
    [{ kind: 'driverTooOld', text: '' }, 'pickOffer'],
    [{ kind: 'imagePull', why: 'noSuchImage', text: '' }, 'changeRun'],
    [{ kind: 'imagePull', why: 'network', text: '' }, 'retryJob'],
    [{ kind: 'exception', type: 'ValueError', text: 'x', rank: undefined }, 'showJobLog'],
  ];
  for (const [trouble, action] of helps) {
    it(`names ${action} as what helps after ${trouble.kind}`, () =>
      assert.equal(explain(trouble).action, action));
  }

  it('asks for a key only where another key helps', () => {
    const action = (why: 'loginNeeded' | 'noEntitlement') =>
      explain({ kind: 'imagePull', why, text: '' }).action;
    assert.deepEqual([action('loginNeeded'), action('noEntitlement')], ['enterNgcKey', undefined]);
  });

  it('tells the fault of the machine from that of the run (tao.md part 2, retry)', () => {
    const of = (kinds: readonly string[]) =>
      new Set(ALL.filter(({ kind }) => kinds.includes(kind)).map((trouble) => explain(trouble).errorClass));
    assert.deepEqual([...of(['gpuFault', 'ncclTimeout', 'ncclError', 'imagePull'])], ['ERR_INFRA']);
    assert.deepEqual(
      [...of(['cudaOutOfMemory', 'deviceAssert', 'missingFile', 'exception'])],
      ['ERR_PROGRAM'],
    );
  });
});

describe('likeliest', () => {
  it('takes the cause before what follows from it, in whatever order they were told', () => {
    const nccl: Trouble = { kind: 'ncclError', rank: 0, text: '' };
    const exception: Trouble = { kind: 'exception', type: 'X', text: '', rank: 0 };
    assert.equal(likeliest([exception, nccl, OUT_OF_MEMORY]), OUT_OF_MEMORY);
    assert.equal(likeliest([OUT_OF_MEMORY, nccl, exception]), OUT_OF_MEMORY);
    assert.equal(likeliest([exception, { kind: 'workerKilled', signal: 6 }]), exception);
    assert.equal(likeliest([]), undefined);
  });
});
