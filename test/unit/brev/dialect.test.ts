import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { atLeast, DialectProbe, readDialect, readVersion } from '../../../src/brev/dialect.ts';
import type { RunOptions, RunResult } from '../../../src/process/run.ts';
import { createRun } from '../../../src/process/run.ts';
import { createSim } from '../../brev-sim/sim.ts';
import { temporaryFolder } from '../process/temporaryFolder.ts';
import { CREATE_HELP, HELP, printed } from './recordedCli.ts';

const VERSION = 'Current Version: v0.6.327\n';
const TAO_CREATE =
  'Flags:\n      --gpu string\n      --cloud-cred-id string\n      --workspace-group-id string\n';
const texts = (more: Partial<Parameters<typeof readDialect>[0]> = {}) => ({
  version: VERSION,
  help: HELP,
  create: CREATE_HELP,
  login: '',
  ...more,
});

describe('what a CLI can do', () => {
  it('is read from its help: the public one of today', () => {
    const dialect = readDialect(texts());
    assert.equal(dialect.createBy, '--type');
    assert.equal(dialect.placementFlags, false);
    assert.deepEqual(dialect.organisationsArgs, ['ls', 'orgs', '--json']);
    assert.equal(dialect.problem, undefined);
  });

  it('is read from its help: the second dialect', () => {
    const dialect = readDialect(
      texts({ create: TAO_CREATE, help: `${HELP}\n  orgs    Lists organisations` }),
    );
    assert.equal(dialect.createBy, '--gpu');
    assert.equal(dialect.placementFlags, true);
    assert.deepEqual(dialect.organisationsArgs, ['orgs', '--json']);
  });

  it('does not take one flag for another', () => {
    assert.equal(
      readDialect(texts({ create: '  -g, --gpu-name string\n      --types string' })).createBy,
      undefined,
    );
    const half = readDialect(texts({ create: `${CREATE_HELP}\n      --cloud-cred-id string` }));
    assert.equal(half.placementFlags, false);
    assert.equal(readDialect(texts({ create: 'use --gpu=L40S:1' })).createBy, '--gpu');
  });

  it('is too little before 0.6.317, and that is said', () => {
    const old = readDialect(
      texts({ version: 'Current version: v0.6.316\n', help: '  ls    x\n  create    x' }),
    );
    assert.equal(old.problem?.kind, 'cliTooOld');
    assert.equal(old.problem?.action, 'openInstallPage');
    assert.ok(old.problem?.message.args.includes('0.6.316'));
    const nameless = readDialect(texts({ version: '', help: '  ls    x\n  search    x\n  create    x' }));
    assert.equal(nameless.problem?.kind, 'cliTooOld');
    assert.ok(nameless.problem?.message.args.includes('exec'));
  });

  it('is not judged by a CLI that gave no answer', () => {
    assert.equal(readDialect({ version: '', help: '', create: '', login: '' }).problem, undefined);
  });

  it('knows versions', () => {
    assert.deepEqual(readVersion('Current version: v1.20.3\nNew Version: v9.9.9')?.parts, [1, 20, 3]);
    assert.equal(readVersion('no version'), undefined);
    const version = readVersion(VERSION);
    for (const [wanted, is] of [
      [[0, 6, 327], true],
      [[0, 6, 317], true],
      [[0, 5, 999], true],
      [[0, 6, 328], false],
      [[0, 7, 0], false],
      [[1, 0, 0], false],
    ] as const) {
      assert.equal(atLeast(version, wanted), is, wanted.join('.'));
    }
    assert.equal(atLeast(undefined, [0, 0, 1]), false);
  });
});

describe('the probe', () => {
  const answers: Readonly<Record<string, string>> = {
    '--version --no-check-latest': VERSION,
    '--help': HELP,
    'create --help': CREATE_HELP,
    'login --help': '',
  };

  function probe(
    t: TestContext,
    answer: (options: RunOptions) => RunResult = ({ args }) => printed(answers[args.join(' ')] ?? ''),
  ) {
    const asked: string[] = [];
    const binary = path.join(temporaryFolder(t), 'brev');
    writeFileSync(binary, 'one');
    const dialects = new DialectProbe(
      async (_, options) => {
        asked.push(options.args.join(' '));
        return answer(options);
      },
      () => ({}),
    );
    return { asked, binary, dialects };
  }

  it('asks only what has no effect and no network, each with a time limit', async (t) => {
    const { asked, binary, dialects } = probe(t, (options) => {
      assert.ok(options.timeoutMs > 0 && options.timeoutMs <= 60_000);
      return printed(answers[options.args.join(' ')] ?? '');
    });
    await dialects.dialect(binary);
    assert.deepEqual(new Set(asked), new Set(Object.keys(answers)));
    assert.equal(asked.length, 4);
  });

  it('asks once for each binary, however many want to know, and again for a new one', async (t) => {
    const { asked, binary, dialects } = probe(t);
    await Promise.all([dialects.dialect(binary), dialects.dialect(binary)]);
    await dialects.dialect(binary);
    assert.equal(asked.length, 4);
    writeFileSync(binary, 'another');
    await dialects.dialect(binary);
    assert.equal(asked.length, 8);
  });

  it('does not keep the silence of a CLI that hangs', async (t) => {
    let hangs = true;
    const { binary, dialects } = probe(t, ({ args }) =>
      hangs
        ? { kind: 'timedOut', timeoutMs: 1, stdout: '', stderr: '', truncated: false }
        : printed(answers[args.join(' ')] ?? ''),
    );
    assert.equal((await dialects.dialect(binary)).createBy, undefined);
    hangs = false;
    assert.equal((await dialects.dialect(binary)).createBy, '--type');
  });

  it('reads the simulated CLI in both dialects', async (t) => {
    for (const dialect of ['public', 'tao'] as const) {
      const sim = await createSim({ dialect });
      t.after(() => sim.dispose());
      const read = await new DialectProbe(createRun(), () => sim.env).dialect(sim.brevPath);
      assert.notEqual(read.createBy, undefined);
      assert.equal(read.placementFlags, dialect === 'tao');
      assert.equal(read.problem, undefined);
      assert.equal(read.version?.text, '0.6.327');
    }
  });
});
