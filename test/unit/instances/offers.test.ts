import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OfferRow } from '../../../src/brev/search.ts';
import { filterOffers, mergeOffers, Offers } from '../../../src/instances/offers.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { failing, printed, RecordedCli } from '../brev/recordedCli.ts';

const offerRow = (type: string, fields: Partial<OfferRow> = {}): OfferRow => ({
  type,
  cloud: 'aws',
  provider: 'aws',
  gpu_name: 'L40S',
  gpu_count: 1,
  vram_per_gpu_gb: 48,
  total_vram_gb: 48,
  vcpus: 4,
  ram_gb: 32,
  arch: 'x86_64',
  disk_min_gb: 120,
  disk_max_gb: 1_000,
  boot_time_seconds: 240,
  stoppable: true,
  price_per_hour: 2,
  ...fields,
});
const CPU = { gpu_name: '-', gpu_count: 0, vram_per_gpu_gb: 0, total_vram_gb: 0 };
const types = (offers: readonly { type: string }[]) => offers.map(({ type }) => type);

describe('mergeOffers', () => {
  it('has one offer a type, cheapest first, unknown prices last', () => {
    const rows = [
      offerRow('dear', { price_per_hour: 30 }),
      offerRow('unknown', { price_per_hour: undefined }),
      offerRow('cheap', { price_per_hour: 0.5 }),
      offerRow('cheap', { price_per_hour: 0.5, gpu_name: 'L4' }),
      offerRow('zero', { price_per_hour: 0 }),
    ];
    assert.deepEqual(types(mergeOffers(rows)), ['cheap', 'dear', 'unknown', 'zero']);
  });

  it('does not take an unknown price for free', () => {
    for (const price_per_hour of [undefined, 0, -1, Number.NaN]) {
      assert.equal(mergeOffers([offerRow('a', { price_per_hour })])[0]?.pricePerHour, undefined);
    }
    assert.equal(mergeOffers([offerRow('a', { price_per_hour: 0.01 })])[0]?.pricePerHour, 0.01);
  });

  it('knows machines without a GPU, and keeps what is unknown unknown', () => {
    const [offer] = mergeOffers([offerRow('a', { ...CPU, boot_time_seconds: 0, stoppable: undefined })]);
    assert.equal(offer?.gpu, undefined);
    assert.equal(offer?.bootSeconds, undefined);
    assert.equal(offer?.stoppable, undefined);
    assert.deepEqual(mergeOffers([offerRow('b', { gpu_count: 8 })])[0]?.gpu, {
      name: 'L40S',
      count: 8,
      vramGb: 48,
    });
  });

  it('merges two thousand rows', () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => offerRow(`t${index % 1_000}`));
    assert.equal(mergeOffers(rows).length, 1_000);
  });
});

describe('filterOffers', () => {
  const offers = mergeOffers([
    offerRow('l40s', { price_per_hour: 2 }),
    offerRow('l40s-8', { gpu_count: 8, price_per_hour: 16, provider: 'crusoe' }),
    offerRow('l40', { gpu_name: 'L40', price_per_hour: 1 }),
    offerRow('t4', { gpu_name: 'T4', vram_per_gpu_gb: 16, price_per_hour: undefined }),
    offerRow('cpu', { ...CPU, price_per_hour: 0.2 }),
  ]);

  it('keeps what matches every part', () => {
    for (const [filter, expected] of [
      [{}, ['cpu', 'l40', 'l40s', 'l40s-8', 't4']],
      [{ gpuName: 'l40s' }, ['l40s', 'l40s-8']],
      [{ gpuName: 'L40' }, ['l40']],
      [{ minVramGb: 40 }, ['l40', 'l40s', 'l40s-8']],
      [{ gpuCount: 8 }, ['l40s-8']],
      [{ provider: 'crusoe' }, ['l40s-8']],
      [{ maxPricePerHour: 2 }, ['cpu', 'l40', 'l40s']],
      [{ gpuName: 'L40S', maxPricePerHour: 2 }, ['l40s']],
      [{ gpuName: 'H100' }, []],
    ] as const) {
      assert.deepEqual(types(filterOffers(offers, filter)), expected, JSON.stringify(filter));
    }
  });
});

describe('offers', () => {
  const gpu = printed(JSON.stringify([offerRow('gpu')]));
  const cpu = printed(JSON.stringify([offerRow('cpu', { ...CPU, price_per_hour: 0.1 })]));
  const all = new Map([
    ['search --json', gpu],
    ['search cpu --json', cpu],
  ]);

  function offers(answers: ReadonlyMap<string, ReturnType<typeof printed>> = all) {
    const clock = new FakeClock();
    const cli = new RecordedCli((args) => answers.get(args.join(' ')) ?? failing('not expected'));
    return { cli, clock, offers: new Offers(cli.brev, clock) };
  }

  it('are searched when first asked for, once for all who ask, and again when old', async () => {
    const its = offers();
    assert.equal(its.offers.known('gpu'), undefined);
    let loads = 0;
    its.offers.onLoad(() => loads++);
    const both = await Promise.all([its.offers.load(), its.offers.load()]);
    for (const outcome of both) {
      assert.ok(outcome.kind === 'ok');
      assert.deepEqual(types(outcome.value), ['cpu', 'gpu']);
    }
    await its.offers.load();
    assert.equal(its.cli.count('search', '--json'), 1);
    assert.equal(loads, 1);
    assert.equal(its.offers.known('gpu')?.pricePerHour, 2);
    await its.clock.advance(3_600_000);
    await its.offers.load();
    assert.equal(its.cli.count('search', '--json'), 2);
  });

  it('are there without the machines that have no GPU', async () => {
    const outcome = await offers(new Map([['search --json', gpu]])).offers.load();
    assert.ok(outcome.kind === 'ok');
    assert.deepEqual(types(outcome.value), ['gpu']);
  });

  it('that could not be searched are searched again by the next who asks', async () => {
    const answers = new Map<string, ReturnType<typeof printed>>();
    const its = offers(answers);
    assert.equal((await its.offers.load()).kind, 'failed');
    answers.set('search --json', gpu);
    assert.equal((await its.offers.load()).kind, 'ok');
  });
});
