import assert from 'node:assert/strict';
import { anyBrev, simOnly } from './support/brev.ts';
import { parseOffers } from './support/rows.ts';

anyBrev('search --json is an array of exactly the known fields, cheapest first', async ({ run }) => {
  const { code, stdout } = await run(['search', '--json']);
  assert.equal(code, 0);
  assert.match(stdout, /^\[\n {2}\{\n {4}"type": /);
  assert.match(stdout, /\]\n$/);
  const offers = parseOffers(stdout);
  const prices = offers.map((offer) => offer.price_per_hour);
  assert.deepEqual(
    prices,
    prices.toSorted((left, right) => left - right),
  );
  assert.ok(offers.every((offer) => offer.gpu_count > 0));
});

anyBrev('search gpu is search; any other word is ignored', async ({ run }) => {
  const types = async (...words: string[]) => {
    const { code, stdout } = await run(['search', ...words, '--json']);
    assert.equal(code, 0);
    return parseOffers(stdout).map(({ type }) => type);
  };
  const plain = await types();
  assert.deepEqual(await types('gpu'), plain);
  assert.deepEqual(await types('tpu'), plain);
});

anyBrev('search cpu lists machines without GPU', async ({ run }) => {
  const { code, stdout } = await run(['search', 'cpu', '--json']);
  assert.equal(code, 0);
  for (const offer of parseOffers(stdout)) {
    assert.deepEqual(
      [offer.gpu_name, offer.gpu_count, offer.vram_per_gpu_gb, offer.total_vram_gb],
      ['-', 0, 0, 0],
    );
  }
});

anyBrev('search cpu has no GPU flags', async ({ run }) => {
  const { code, stdout, stderr } = await run(['search', 'cpu', '--gpu-name', 'L40S', '--json']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /unknown flag: --gpu-name\n$/);
});

anyBrev('--gpu-name is a substring whatever the case', async ({ run }) => {
  const { stdout } = await run(['search', '--gpu-name', 'l40', '--json']);
  for (const { gpu_name } of parseOffers(stdout)) assert.match(gpu_name, /l40/i);
});

anyBrev('no match: an empty array; as a table on a pipe, nothing at all', async ({ run }) => {
  const none = ['search', '--gpu-name', 'no-such-gpu'];
  assert.deepEqual(pick(await run([...none, '--json'])), [0, '[]\n']);
  assert.deepEqual(pick(await run(none)), [0, '']);
});

anyBrev('--min-vram and --sort --desc', async ({ run }) => {
  const { stdout } = await run(['search', '--min-vram', '80', '--sort', 'vram', '--desc', '--json']);
  const sizes = parseOffers(stdout).map((offer) => offer.vram_per_gpu_gb);
  assert.ok(sizes.every((size) => size >= 80));
  assert.deepEqual(
    sizes,
    sizes.toSorted((left, right) => right - left),
  );
});

anyBrev('a value that is no number is refused by flag name', async ({ run }) => {
  const { code, stdout, stderr } = await run(['search', '--min-vram', 'abc', '--json']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /invalid argument "abc" for "-v, --min-vram" flag: strconv\.ParseFloat: /);
});

anyBrev('an unknown sort is refused with the valid ones', async ({ run }) => {
  const { code, stdout, stderr } = await run(['search', '--sort', 'colour', '--json']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /invalid sort option "colour"\. Valid options: arch, boot-time, /);
});

simOnly('the filters of search', {}, async ({ run }) => {
  const types = async (...flags: string[]) => parseOffers((await run(['search', ...flags, '--json'])).stdout);
  assert.deepEqual(
    new Set((await types('--gpu-name', 'L40')).map(({ gpu_name }) => gpu_name)),
    new Set(['L40', 'L40S']),
  );
  assert.ok((await types('--stoppable')).every((offer) => offer.stoppable));
  assert.ok((await types('--rebootable')).every((offer) => offer.rebootable));
  assert.ok((await types('--flex-ports')).every((offer) => offer.flex_ports));
  assert.ok((await types('--min-total-vram', '300')).every((offer) => offer.total_vram_gb >= 300));
  assert.ok((await types('--min-capability', '9')).every((offer) => offer.capability >= 9));
  assert.ok((await types('--min-ram', '500')).every((offer) => offer.ram_gb >= 500));
  assert.ok((await types('--min-vcpu', '48')).every((offer) => offer.vcpus >= 48));
  assert.ok((await types('--max-boot-time', '3')).every((offer) => offer.boot_time_seconds <= 180));
  assert.ok((await types('--provider', 'AWS')).every((offer) => offer.provider === 'aws'));
  const large = await types('--min-disk', '1000');
  assert.ok(large.length > 0 && large.every((offer) => offer.disk_max_gb >= 1000));
  assert.deepEqual(
    [
      ...new Set(
        large.filter((offer) => offer.disk_min_gb < offer.disk_max_gb).map((offer) => offer.target_disk_gb),
      ),
    ],
    [1000],
  );
});

simOnly('search needs no login', { signedIn: false }, async ({ run }) => {
  const { code, stdout, stderr } = await run(['search', '--json']);
  assert.deepEqual([code, stderr], [0, '']);
  assert.ok(parseOffers(stdout).length > 20);
});

simOnly('a type without capacity is listed all the same', {}, async ({ sim, run }) => {
  const before = (await run(['search', '--json'])).stdout;
  await sim.cloud((cloud) => cloud.soldOut.push('g5.xlarge'));
  assert.equal((await run(['search', '--json'])).stdout, before);
});

simOnly('an answer of HTML is an error here', {}, async ({ sim, run }) => {
  await sim.scenario([{ kind: 'html', command: 'search' }]);
  const { code, stdout, stderr } = await run(['search', '--json']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /invalid character '<' looking for beginning of value\n$/);
});

function pick({ code, stdout }: { code: number | null; stdout: string }): [number | null, string] {
  return [code, stdout];
}
