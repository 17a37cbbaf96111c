import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ls, type WorkspaceList } from '../../../src/brev/ls.ts';
import { inEnglish } from '../../../src/values/message.ts';
import { row } from './recordedCli.ts';

const parse = (stdout: string) => ls().parse({ stdout, stderr: '' });

function list(stdout: string): WorkspaceList {
  const outcome = parse(stdout);
  assert.ok(outcome.kind === 'ok', JSON.stringify(outcome));
  return outcome.value;
}

const names = (stdout: string) => list(stdout).rows.map(({ name }) => name);
const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** The text that `ls --json` has printed for two machines, by hand. */
const RECORDED = `{
  "workspaces": [
    {
      "name": "train",
      "id": "k3x9a2b1c",
      "status": "RUNNING",
      "build_status": "COMPLETED",
      "shell_status": "READY",
      "health_status": "HEALTHY",
      "instance_type": "g6e.xlarge",
      "instance_kind": "gpu",
      "gpu": "L40S"
    },
    {
      "name": "a\\u003cb\\u0026c\\u003e",
      "id": "p0q9w8e7r",
      "status": "UNHEALTHY",
      "build_status": "",
      "shell_status": "NOT READY",
      "health_status": "UNHEALTHY",
      "instance_type": "massedcompute_L40S",
      "instance_kind": "cpu",
      "gpu": "-"
    }
  ]
}
`;

describe('ls', () => {
  it('asks for its own instances, as JSON, and only reads', () => {
    const command = ls();
    assert.deepEqual(command.args, ['ls', '--json']);
    assert.equal(command.readOnly, true);
    assert.ok(command.timeoutMs >= 10_000 && command.timeoutMs <= 60_000);
  });

  it('reads what the CLI prints', () => {
    const { rows, unreadable } = list(RECORDED);
    assert.equal(unreadable, 0);
    assert.deepEqual(
      rows.map(({ name, id, status, gpu, instance_type }) => [name, id, status, gpu, instance_type]),
      [
        ['train', 'k3x9a2b1c', 'RUNNING', 'L40S', 'g6e.xlarge'],
        ['a<b&c>', 'p0q9w8e7r', 'UNHEALTHY', '-', 'massedcompute_L40S'],
      ],
    );
  });

  it('reads the object of today and the array of before 0.6.323', () => {
    assert.deepEqual(names(pretty({ workspaces: [row('a')] })), ['a']);
    assert.deepEqual(names(pretty([row('a'), row('b')])), ['a', 'b']);
    assert.deepEqual(names(JSON.stringify({ workspaces: [row('a')], nodes: [{ name: 'dgx' }] })), ['a']);
  });

  it('reads none in every way that the CLI says it', () => {
    for (const text of [
      '{"workspaces": null}\n',
      '{\n  "workspaces": null\n}\n',
      '{"workspaces":[]}',
      'null\n',
      '[]',
    ]) {
      assert.deepEqual(list(text), { rows: [], unreadable: 0 }, text);
    }
  });

  it('keeps the good rows beside a bad one, and counts it', () => {
    for (const bad of [null, 7, 'x', [], {}, { name: 'no-id' }, row('b', { id: '' }), row('b', { id: 7 })]) {
      const { rows, unreadable } = list(pretty({ workspaces: [row('a'), bad, row('c')] }));
      assert.deepEqual(
        rows.map(({ name }) => name),
        ['a', 'c'],
      );
      assert.equal(unreadable, 1);
    }
  });

  it('keeps a machine of which it cannot read a detail: it bills all the same', () => {
    for (const field of ['status', 'build_status', 'shell_status', 'health_status', 'instance_type', 'gpu']) {
      for (const value of [null, 7, {}, [], undefined]) {
        assert.deepEqual(names(pretty({ workspaces: [row('a', { [field]: value })] })), ['a'], field);
      }
    }
    assert.deepEqual(names(pretty([{ id: 'x', name: 'bare' }])), ['bare']);
    assert.deepEqual(names(pretty([row('a', { workspaceGroupId: null })])), ['a']);
  });

  it('takes unknown fields and states', () => {
    const { rows } = list(
      pretty({ workspaces: [row('a', { status: 'HIBERNATING', region: 'x', price: 3 })] }),
    );
    assert.equal(rows[0]?.status, 'HIBERNATING');
  });

  it('takes any name', () => {
    const odd = [
      'a; rm -rf ~ #',
      '$(x)',
      '`x`',
      '学習-1',
      '🚀',
      '\u202etxt.exe',
      '\u001b[31mred',
      '-rf',
      '--all',
      '',
      'a\nb',
    ];
    assert.deepEqual(
      names(pretty({ workspaces: odd.map((name, index) => row(name, { id: `i${index}` })) })),
      odd,
    );
  });

  it('finds the list between lines that do not belong to it', () => {
    const json = pretty({ workspaces: [row('a')] });
    for (const before of [
      'no oauth found for token\n',
      'WARN: malformed refresh token, logging out\n',
      '[error] \nfunc\n/build/file.go:7\n: something\n',
      '{not json}\n',
      '[1/2] looking\n',
      'A new version of brev has been released!\n\n',
      '\r\n',
    ]) {
      for (const after of ['', 'see [the docs]\n', '{"more": 1}\n', '}\n', '\n\nbrev upgrade\n']) {
        assert.deepEqual(names(before + json + after), ['a'], JSON.stringify([before, after]));
      }
    }
    assert.deepEqual(names(json.replaceAll('\n', '\r\n')), ['a']);
  });

  it('says of every piece of an answer that it is not one', () => {
    const json = pretty({ workspaces: [row('a'), row('b')] });
    for (let length = 0; length < json.trimEnd().length; length++) {
      const outcome = parse(json.slice(0, length));
      assert.ok(outcome.kind === 'failed', `the first ${length} characters were read`);
      assert.equal(outcome.failure.kind, 'unreadableAnswer');
    }
  });

  it('is not content with anything else', () => {
    for (const text of [
      '',
      '\n',
      'You have 2 instances in Org x\n NAME STATUS\n',
      '<!DOCTYPE html>\n<html>\n<script>\nfunction f()\n{\n}\n</script></html>',
      '{}',
      '{"workspaces": 7}',
      '{"workspaces": "x"}',
      '{"nodes": []}',
      '"text"',
      '7',
      'true',
      '{"workspaces": [{"x": 1}]}',
    ]) {
      const outcome = parse(text);
      assert.ok(outcome.kind === 'failed', text);
      assert.equal(outcome.failure.kind, 'unreadableAnswer');
      assert.equal(outcome.failure.retrySafe, true);
      assert.match(inEnglish(outcome.failure.message), /could not be read: .+/);
    }
  });

  it('reads ten thousand rows, pretty or not', () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => row(`n${index}`));
    assert.equal(list(pretty({ workspaces: rows })).rows.length, 10_000);
    assert.equal(list(JSON.stringify(rows)).rows.length, 10_000);
  });

  it('does not choke on a long text that begins like JSON again and again', () => {
    for (const line of ['{\n', '[\n', '{"a"\n', '{"\n', '[null\n', '{"a": "\n']) {
      assert.equal(parse(line.repeat(200_000)).kind, 'failed');
    }
  });
});
