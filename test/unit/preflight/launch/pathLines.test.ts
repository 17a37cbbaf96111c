import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { factShell, type Given, lineOf, linesOf } from './support/launch.ts';

const there = (...names: readonly string[]): Given => ({
  shell: async () => ({ kind: 'ok', value: factShell(undefined, names).shell }),
});

describe('an input of the container', () => {
  it('passes when it was seen on the instance', async () => {
    const line = await lineOf('input:/data/train', { spec: 'root: /data/train', ...there('data/train') });
    assert.equal(line, 'passed: Seen on the instance, as ~/data/train.');
  });

  it('is refused when it was not, with what to upload', async () => {
    const lines = await linesOf({ spec: 'root: /data/a b/\nsame: /data/a b/', ...there('data/a') });
    assert.equal(
      lines['input:/data/a b/'],
      'failed: Not on the instance: the container would look in ~/data/a b. Upload it. [upload ~/data/a b for /data/a b]',
    );
    assert.equal(Object.keys(lines).filter((id) => id.startsWith('input:')).length, 1);
  });

  it('is refused where no mount covers it', async () => {
    const spec = ['a: /database/x', 'b: /data/../home/x', 'c: ~/data/x', 'd: /workspace/x'].join('\n');
    const lines = await linesOf({ spec });
    for (const [path, line] of [
      ['/database/x', 1],
      ['/data/../home/x', 2],
      ['~/data/x', 3],
      ['/workspace/x', 4],
    ] as const) {
      const words = lines[`input:${path}`] ?? '';
      assert.match(words, /^failed: .*Put the files into ~\/data on the instance, and write \/data\//, path);
      assert.ok(words.endsWith(`[line ${line}]`), words);
    }
  });

  it('is refused in a place that is new with each job', async () => {
    const lines = await linesOf({ spec: 'a: /results/old/model.pth\nb: /job/spec.yaml\nc: /job/other' });
    assert.match(
      lines['input:/results/old/model.pth'] ?? '',
      /^failed: \/results is empty when a job starts/,
    );
    assert.equal(lines['input:/job/spec.yaml'], 'passed: The spec itself.');
    assert.match(lines['input:/job/other'] ?? '', /^failed/);
  });

  it("is a warning where it may be the image's own", async () => {
    assert.match((await lineOf('input:/usr/share/x', { spec: 'a: /usr/share/x' })) ?? '', /^warning/);
  });

  it('is a warning where this action does not seem to read it', async () => {
    const spec = 'dataset:\n  test_data: /data/test\nevaluate:\n  checkpoint: /results/model.pth';
    const lines = await linesOf({ spec });
    assert.match(lines['input:/data/test'] ?? '', /^warning: Not on the instance/);
    assert.match(lines['input:/results/model.pth'] ?? '', /^warning/);
    const evaluated = await linesOf({ spec, run: { action: 'evaluate' } });
    assert.match(evaluated['input:/results/model.pth'] ?? '', /^failed/);
  });

  it('that is a pattern is looked for by its folder', async () => {
    const { shell, scripts } = factShell(undefined, ['data/shards/']);
    const lines = await linesOf({
      spec: 'a: /data/shards/*.tar',
      shell: async () => ({ kind: 'ok', value: shell }),
    });
    assert.match(lines['input:/data/shards/*.tar'] ?? '', /^passed: The folder of the pattern/);
    assert.deepEqual(scripts[0]?.args.slice(1), ['data', 'shards/']);
  });

  it('is told from an empty folder and from a link that leads nowhere', async () => {
    const { shell } = factShell();
    const seen = (kind: string): Given => ({
      spec: 'a: /data/x',
      shell: async () => ({
        kind: 'ok',
        value: {
          ...shell,
          run: async () => ({ kind: 'ok', value: { exitCode: 0, stdout: `path 0 ${kind}\nend\n` } }),
        },
      }),
    });
    assert.match((await lineOf('input:/data/x', seen('empty'))) ?? '', /^warning: An empty folder.*\[upload/);
    assert.match((await lineOf('input:/data/x', seen('outside'))) ?? '', /^failed: .*link.*\[line 1\]$/);
  });

  it('is asked for in one round trip, with all others', async () => {
    const { shell, scripts } = factShell();
    const spec = Array.from({ length: 25 }, (_, index) => `k${index}: /data/${index}`).join('\n');
    const lines = await linesOf({ spec, shell: async () => ({ kind: 'ok', value: shell }) });
    assert.equal(scripts.length, 1);
    assert.equal(scripts[0]?.args.length, 1 + 25 * 2);
    const inputs = Object.keys(lines).filter((id) => id.startsWith('input:'));
    assert.equal(inputs.length, 21);
    assert.equal(
      lines['input:more'],
      'failed: 5 more, of which 5 are refused; the first is /data/20. [upload ~/data/20 for /data/20]',
    );
  });

  it('beyond the twentieth passes in one line', async () => {
    const names = Array.from({ length: 22 }, (_, index) => `${index}`);
    const spec = names.map((name) => `k${name}: /data/${name}`).join('\n');
    const lines = await linesOf({ spec, ...there(...names.map((name) => `data/${name}`)) });
    assert.equal(lines['input:more'], 'passed: 2 more, all in order.');
  });
});

describe('an output of the container', () => {
  it('must outlive it', async () => {
    const lines = await linesOf({
      spec: 'results_dir: /results/x\nlog_dir: /data/logs\ncache_dir: /tmp/c\noutput_dir: /job/spec.yaml',
    });
    assert.match(lines['output:/results/x'] ?? '', /^passed: Kept .*the job's own folder/);
    assert.match(lines['output:/data/logs'] ?? '', /^passed: Kept .*~\/data/);
    assert.match(lines['output:/tmp/c'] ?? '', /^warning: .*lost.*\/data, \/results/);
    assert.match(lines['output:/job/spec.yaml'] ?? '', /^warning: .*lost/);
    const lost = await lineOf('output:/workspace/r', { spec: 'a: 1\nresults_dir: /workspace/r' });
    assert.match(lost ?? '', /^failed: .*lost.*\[line 2\]$/);
  });
});

describe('the spec', () => {
  it('that cannot be read is refused, at its line', async () => {
    const lines = await linesOf({ spec: 'a: 1\nb:\n\tc: 2' });
    assert.match(lines.spec ?? '', /^failed: Line 3 .*tab.*\[line 3\]$/);
    assert.match((await lineOf('spec', { spec: Uint8Array.of(0xff) })) ?? '', /^failed: .*UTF-8/);
  });

  it('with what only the run knows, or too large, is left to the user', async () => {
    const spec = 'a: /data/x\nb: @{oc.env:DATA}/x'.replace('@', '$');
    assert.match((await lineOf('spec', { spec })) ?? '', /^warning: Line 2 .*\[line 2\]$/);
    assert.match(
      (await lineOf('spec', { spec: `a: ${'x'.repeat(300_000)}` })) ?? '',
      /^warning: .*too large/,
    );
  });
});
