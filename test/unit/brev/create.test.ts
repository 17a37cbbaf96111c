import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, deploy, launchableId } from '../../../src/brev/create.ts';
import { argumentsOf, ODD_NAMES, refusal } from './outcomes.ts';

const TYPE = { createBy: '--type', placementFlags: false } as const;
const TAO = { createBy: '--gpu', placementFlags: true } as const;
const L40S = { type: 'g6e.xlarge', gpu: { name: 'L40S', count: 1 } };
const A100 = { type: 'a2-highgpu-8g', gpu: { name: 'A100', count: 8 } };
const CPU = { type: 'n2d-standard-8', gpu: undefined };

describe('create', () => {
  it('says the type, and does not wait', () => {
    assert.deepEqual(argumentsOf(create({ name: 'a', types: [L40S] }, TYPE)), [
      'create',
      'a',
      '--type',
      'g6e.xlarge',
      '--detached',
    ]);
    assert.deepEqual(argumentsOf(create({ name: 'a', types: [L40S, A100, CPU] }, TYPE)).slice(2, 4), [
      '--type',
      'g6e.xlarge,a2-highgpu-8g,n2d-standard-8',
    ]);
  });

  it('speaks the second dialect only where the CLI does', () => {
    const placement = { cloudCredId: 'cred', workspaceGroupId: 'group' };
    assert.deepEqual(argumentsOf(create({ name: 'a', types: [A100, L40S] }, TAO, placement)), [
      'create',
      'a',
      '--gpu',
      'A100:8',
      '--cloud-cred-id',
      'cred',
      '--workspace-group-id',
      'group',
      '--detached',
    ]);
    assert.ok(!argumentsOf(create({ name: 'a', types: [A100] }, TAO)).includes('--cloud-cred-id'));
    assert.ok(
      !argumentsOf(create({ name: 'a', types: [A100] }, TYPE, placement)).includes('--cloud-cred-id'),
    );
  });

  it('creates nothing where the type cannot be told: the CLI would choose, up to the dearest', () => {
    assert.equal(refusal(create({ name: 'a', types: [CPU] }, TAO)), 'unsupportedFlag');
    assert.equal(
      refusal(create({ name: 'a', types: [L40S] }, { createBy: undefined, placementFlags: false })),
      'unsupportedFlag',
    );
    for (const type of ['', '-d', '--dry-run', 'a,b', 'a b', 'a\n']) {
      assert.notEqual(
        create({ name: 'a', types: [{ type, gpu: undefined }] }, TYPE).kind,
        'ok',
        JSON.stringify(type),
      );
    }
  });

  it('refuses the names that Brev refuses', () => {
    for (const name of ODD_NAMES) {
      assert.equal(refusal(create({ name, types: [L40S] }, TYPE)), 'unusableName', JSON.stringify(name));
    }
  });

  it('is never repeated by itself', () => {
    const outcome = create({ name: 'a', types: [L40S] }, TYPE);
    assert.ok(outcome.kind === 'ok' && !outcome.value.readOnly);
  });
});

describe('a launchable', () => {
  it('users A: #391 is deployed by create, with its id, from an id or the address of its page', () => {
    const page = 'https://brev.example/launchable/deploy/now?launchableID=env-2abC9&x=1';
    for (const [pasted, id] of [
      ['env-2abC9', 'env-2abC9'],
      [` ${page}\n`, 'env-2abC9'],
      ['https://brev.example/launchable/deploy/now', undefined],
      ['https://brev.example/?launchableID=--yes', undefined],
      ['--launchable', undefined],
      ['env-2 abC9', undefined],
      ['', undefined],
    ] as const) {
      assert.equal(launchableId(pasted), id, pasted);
    }
    assert.deepEqual(argumentsOf(deploy({ name: 'a', launchable: 'env-2abC9' }, { launchables: true })), [
      'create',
      'a',
      '--launchable',
      'env-2abC9',
      '--detached',
    ]);
  });

  it('is refused where the CLI does not know them, and with a name that Brev would refuse', () => {
    assert.equal(
      refusal(deploy({ name: 'a', launchable: 'env-1' }, { launchables: false })),
      'unsupportedFlag',
    );
    assert.equal(
      refusal(deploy({ name: 'a b', launchable: 'env-1' }, { launchables: true })),
      'unusableName',
    );
  });
});
