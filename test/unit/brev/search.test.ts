import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { search } from '../../../src/brev/search.ts';

const parse = (stdout: string) => search('gpu').parse({ stdout, stderr: '' });
const offer = (type: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  type,
  cloud: 'aws',
  provider: 'aws',
  gpu_name: 'L40S',
  gpu_count: 1,
  vram_per_gpu_gb: 48,
  total_vram_gb: 48,
  capability: 8.9,
  vcpus: 4,
  memory: '32GiB',
  ram_gb: 32,
  arch: 'x86_64',
  disk_min_gb: 120,
  disk_max_gb: 1000,
  boot_time_seconds: 240,
  stoppable: true,
  rebootable: true,
  flex_ports: false,
  price_per_hour: 2.23,
  ...fields,
});

describe('search', () => {
  it('asks for JSON; without a word for GPUs, with one for machines without', () => {
    assert.deepEqual(search('gpu').args, ['search', '--json']);
    assert.deepEqual(search('cpu').args, ['search', 'cpu', '--json']);
    assert.equal(search('gpu').readOnly, true);
  });

  it('reads offers, and none', () => {
    const outcome = parse(JSON.stringify([offer('a'), offer('b', { gpu_name: '-', gpu_count: 0 })]));
    assert.ok(outcome.kind === 'ok');
    assert.deepEqual(
      outcome.value.map(({ type, gpu_name, price_per_hour, stoppable }) => [
        type,
        gpu_name,
        price_per_hour,
        stoppable,
      ]),
      [
        ['a', 'L40S', 2.23, true],
        ['b', '-', 2.23, true],
      ],
    );
    assert.deepEqual(parse('[]\n'), { kind: 'ok', value: [] });
  });

  it('knows an unknown price and an unknown "can be stopped" from zero and no', () => {
    const outcome = parse(
      JSON.stringify([
        offer('a', { price_per_hour: undefined, stoppable: undefined }),
        offer('b', { price_per_hour: null, stoppable: 'yes' }),
      ]),
    );
    assert.ok(outcome.kind === 'ok');
    assert.deepEqual(
      outcome.value.map(({ type, price_per_hour, stoppable }) => [type, price_per_hour, stoppable]),
      [
        ['a', undefined, undefined],
        ['b', undefined, undefined],
      ],
    );
  });

  it('keeps an offer of which it cannot read a detail, and the others beside a bad row', () => {
    const odd = offer('odd', { vcpus: '4', ram_gb: null, gpu_name: 7, boot_time_seconds: undefined });
    const outcome = parse(JSON.stringify([odd, null, { price_per_hour: 1 }, offer('good')]));
    assert.ok(outcome.kind === 'ok');
    assert.deepEqual(
      outcome.value.map(({ type }) => type),
      ['odd', 'good'],
    );
  });

  it('does not take an answer that it cannot read for an empty catalogue', () => {
    for (const text of [
      '',
      'null',
      '{}',
      '[{"instance": "a"}]',
      '[{"type":"a"',
      '<html></html>',
      'TYPE  GPU\na  L40S',
    ]) {
      const outcome = parse(text);
      assert.ok(outcome.kind === 'failed', text);
      assert.equal(outcome.failure.kind, 'unreadableAnswer');
    }
  });
});
