import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { editEnv, envValues, isEnvKey, isUsableValue, parseEnv } from '../../../src/preflight/envText.ts';

function read(text: string): Record<string, string> {
  const parsed = parseEnv(text);
  assert.equal(parsed.kind, 'parsed', JSON.stringify(parsed));
  return parsed.kind === 'parsed' ? Object.fromEntries(envValues(parsed.assignments)) : {};
}

function edit(text: string, values: Record<string, string>): string {
  const parsed = parseEnv(text);
  assert.equal(parsed.kind, 'parsed');
  return parsed.kind === 'parsed' ? editEnv(text, parsed.assignments, new Map(Object.entries(values))) : '';
}

/** What a shell makes of it, which is how the TAO tools read the file. */
function bySh(text: string, key: string): string {
  return execFileSync('/bin/sh', ['-c', `eval "$1"; printf %s "$${key}"`, 'sh', text], {
    env: {},
    encoding: 'utf8',
  });
}

describe('parseEnv', () => {
  const readings: readonly [string, string, Record<string, string>][] = [
    ['nothing', '', {}],
    ['only blank lines and comments', '\n  \n# A=1\n\t#x', {}],
    ['a plain value', 'A=1\n', { A: '1' }],
    ['no line end at the end', 'A=1', { A: '1' }],
    ['export', 'export A=1\n  export\tB=2\n', { A: '1', B: '2' }],
    ['a key that begins like export', 'exported=1\nexport=2\n', { exported: '1', export: '2' }],
    ['blanks around', '  A = x y \t\n', { A: 'x y' }],
    ['empty values', 'A=\nB=""\nC=\'\'\nD= # none\n', { A: '', B: '', C: '', D: '' }],
    ['Windows line ends', 'A=1\r\nB="2"\r\n', { A: '1', B: '2' }],
    ['old Mac line ends', 'A=1\rB=2\r', { A: '1', B: '2' }],
    ['a byte order mark', '\uFEFFA=1\n', { A: '1' }],
    ['the last one wins', 'A=1\nA=2\nB=3\nA=4\n', { A: '4', B: '3' }],
    ['single quotes take everything', `A='x # "$HOME" \\n'\n`, { A: 'x # "$HOME" \\n' }],
    ['double quotes with escapes', 'A="a\\"b\\\\c\\$d\\`e\\n"\n', { A: 'a"b\\c$d`e\\n' }],
    ['a hash in quotes', 'A="x # y"\n', { A: 'x # y' }],
    ['a comment behind quotes', 'A="x" # y\nB=\'z\'\t#"\n', { A: 'x', B: 'z' }],
    ['a comment behind a plain value', 'A=x # y\nB=z\t# w\n', { A: 'x', B: 'z' }],
    ['a hash inside a plain value', 'A=x#y\nB=#z\n', { A: 'x#y', B: '#z' }],
    ['equals signs in a value', 'A=eyJ.a==\n', { A: 'eyJ.a==' }],
    ['a value over several lines', 'A="1\n2=3\n"\nB=4\n', { A: '1\n2=3\n', B: '4' }],
    ['a line that goes on', 'A="1\\\n2"\n', { A: '12' }],
    ['no expansion of variables', 'A=$HOME/x\nB="$A"\n', { A: '$HOME/x', B: '$A' }],
    ['other scripts', 'NAME="日本 é"\n', { NAME: '日本 é' }],
  ];
  for (const [what, text, values] of readings) {
    it(`reads ${what}`, () => {
      assert.deepEqual(read(text), values);
    });
  }

  it('reads quoting as a shell does', () => {
    for (const text of [
      'A=plain',
      'A=\'x # "y" $z \\n\'',
      'A="a\\"b\\\\c\\$d\\`e\\nf"',
      'A="x # y" # comment',
      'export A=x#y',
      'A="1\\\n2"',
      'A="1\n2"',
      'A= # none',
      'A=1\nA=2',
    ]) {
      assert.equal(read(text).A, bySh(text, 'A'), text);
    }
  });

  it('counts lines that it does not understand, and reads the others', () => {
    const parsed = parseEnv('A="1\n2"\nNGC_KEY nvapi-x\nB=3\nsource other\n1C=4\n');
    assert.deepEqual(parsed.kind === 'parsed' && parsed.ignoredLines, [3, 5, 6]);
    const windows = parseEnv('A=1\r\n\r\nB 2\r\n');
    assert.deepEqual(windows.kind === 'parsed' && windows.ignoredLines, [3]);
  });

  const faults: readonly [string, string, object][] = [
    ['zero bytes', 'A=1\n\0\0\0', { kind: 'binary' }],
    ['a quote that is not closed', 'A=1\nB="x\nC=2\n', { kind: 'openQuote', line: 2 }],
    ['an apostrophe that is not closed', "A=1\n\nB='x\n", { kind: 'openQuote', line: 3 }],
    ['an escaped last quote', 'A="x\\"', { kind: 'openQuote', line: 1 }],
    ['a quote that swallowed the next line', 'A="x\nB="y"\n', { kind: 'textAfterQuote', line: 1 }],
    ['something behind a quote', 'A="x"y\n', { kind: 'textAfterQuote', line: 1 }],
    ['JSON', '{"A": "1"}\n', { kind: 'noAssignments' }],
    ['prose', 'put your keys here\n', { kind: 'noAssignments' }],
  ];
  for (const [what, text, fault] of faults) {
    it(`takes ${what} for corrupt`, () => {
      assert.deepEqual(parseEnv(text), { kind: 'corrupt', fault });
    });
  }

  it('reads a nasty text of the largest size without delay', () => {
    const size = 256 * 1024;
    for (const unit of ['"', "A='", 'A="\\', ' \t', 'export ', 'A =', '=', 'A= #', '#']) {
      // a quadratic reader would need minutes here, and run into the time limit of tests
      parseEnv(unit.repeat(size / unit.length));
      parseEnv(`${unit}\n`.repeat(size / (unit.length + 1)));
    }
  });
});

describe('editEnv', () => {
  const edits: readonly [string, string, Record<string, string>, string][] = [
    ['appends to nothing', '', { A: '1' }, 'A=1\n'],
    ['appends several in their order', 'X=0\n', { B: '1', A: '2' }, 'X=0\nB=1\nA=2\n'],
    ['ends the last line first', 'X=0', { A: '1' }, 'X=0\nA=1\n'],
    [
      'keeps comments, order and blank lines',
      '# a\n\nA=1 # x\n# b\nB=2\n',
      { A: '9' },
      '# a\n\nA=9 # x\n# b\nB=2\n',
    ],
    ['keeps Windows line ends', '# a\r\nA=1\r\nB=2', { A: '9', C: '3' }, '# a\r\nA=9\r\nB=2\r\nC=3\r\n'],
    ['keeps mixed line ends', 'A=1\nB=2\r\nC=3\n', { B: '9' }, 'A=1\nB=9\r\nC=3\n'],
    ['keeps a byte order mark', '\uFEFFA=1\n', { A: '2' }, '\uFEFFA=2\n'],
    ['appends behind nothing but a byte order mark', '\uFEFF', { A: '2' }, '\uFEFFA=2\n'],
    ['replaces the last assignment', 'A=1\nA=2\n#A=3\n', { A: '9' }, 'A=1\nA=9\n#A=3\n'],
    ['keeps export, indent and a missing line end', '  export A="1"', { A: '2' }, '  export A=2'],
    [
      'exports a new line as the last one was',
      'A=1\nexport B=2\n',
      { C: '3' },
      'A=1\nexport B=2\nexport C=3\n',
    ],
    ['replaces a value over several lines', 'A="1\n2"\nB=3\n', { A: 'x' }, 'A=x\nB=3\n'],
    ['fills an empty value before a comment', 'A= # c\nB=\n', { A: 'x', B: 'y' }, 'A=x # c\nB=y\n'],
    ['empties a value', 'A="x" # c\n', { A: '' }, 'A= # c\n'],
    // readers differ about backslashes in single quotes
    ['puts backslashes in double quotes', '', { A: 'a\\\\b' }, 'A="a\\\\\\\\b"\n'],
    ['leaves a value alone that is the same', "A='1'\n", { A: '1' }, "A='1'\n"],
    ['keeps lines that it does not understand', 'A=1\nNGC_KEY x\n', { A: '2' }, 'A=2\nNGC_KEY x\n'],
  ];
  for (const [what, before, values, after] of edits) {
    it(what, () => {
      assert.equal(edit(before, values), after);
    });
  }

  const odd = [
    '',
    'plain',
    'a b',
    ' leading',
    'trailing ',
    '#x',
    'a#b',
    'a # b',
    '$HOME',
    '`id`',
    '$(id)',
    '~',
    '~/x',
    '*',
    '!x',
    "it's",
    '"',
    '\\',
    'a\\',
    "\\'",
    '\\"',
    '\'"\\$`',
    '=',
    'a=b',
    'export x',
    '日本 é',
    'a;b',
    'a&b|c',
    '<>',
    '\t',
    '-x',
    'eyJhbGciOi.eyJleHAi-_.x==',
    'https://user:p%40ss@host:9000/?a=b&c=d',
    "''",
    '""',
    '{}',
    '[1]',
    '\u00a0',
    '\u2028',
  ];

  it('quotes any value so that reading and a shell give it back', () => {
    const before = '# head\nA=1 # keep\nB="2"\n';
    for (const value of odd) {
      const after = edit(before, { A: value, B: value, NEW: value });
      assert.deepEqual(read(after), { A: value, B: value, NEW: value }, after);
      assert.match(after, /^# head\nA=.* # keep\nB=.*\nNEW=.*\n$/s);
    }
    const all = Object.fromEntries(odd.map((value, index) => [`K${index}`, value]));
    const shown = Object.keys(all)
      .map((key) => `printf '%s\\0' "$${key}"`)
      .join('; ');
    const output = execFileSync('/bin/sh', ['-c', `eval "$1"; ${shown}`, 'sh', edit('', all)], {
      env: {},
      encoding: 'utf8',
    });
    assert.deepEqual(output.split('\0').slice(0, -1), odd);
  });
});

describe('names and values', () => {
  it('knows what can be a key', () => {
    for (const key of ['A', '_', 'a1', 'NGC_KEY']) {
      assert.ok(isEnvKey(key), key);
    }
    for (const key of ['', '1A', 'A-B', 'A B', 'A=', 'A\n', 'É', 'A.B']) {
      assert.ok(!isEnvKey(key), key);
    }
  });

  it('refuses values that do not fit on a line, or would not survive', () => {
    assert.ok(['', 'x y', '日本', '😀', '\t'].every((value) => isUsableValue(value)));
    for (const value of ['a\nb', 'a\r', '\0', 'half \uD800 pair']) {
      assert.ok(!isUsableValue(value), JSON.stringify(value));
    }
  });
});
