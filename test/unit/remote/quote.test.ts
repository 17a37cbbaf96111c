import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { quote } from '../../../src/remote/quote.ts';
import { seededRandom } from '../jobs/seededRandom.ts';

const ODD = [
  ...[
    '',
    ' ',
    '-rf',
    '--',
    '~',
    '~/x',
    '*',
    '?',
    '[a]',
    '{a,b}',
    '$HOME',
    '$(id)',
    '`id`',
    "'",
    "''",
    "it's",
    '"',
    '\\',
    "\\'",
  ],
  ...[
    'a\nb',
    '\n',
    '\t',
    '\r',
    '!',
    '#',
    '#a',
    '&',
    ';',
    '|',
    '<',
    '>',
    '(',
    ')',
    '=',
    'a=b',
    '%s',
    '@file',
    '学習 🚀',
    '\u202e',
  ],
  ...['\u0001\u007f', 'x'.repeat(50_000), "'".repeat(500), '.', '/', ':', '+', ','],
];

it('a quoted word is that word in every POSIX shell, whatever is in it', () => {
  const random = seededRandom(3);
  const alphabet = [...'\'"\\$`!*?[]{}()<>|&;#~=%@ \n\tab学'];
  const words = [
    ...ODD,
    ...Array.from({ length: 300 }, () =>
      Array.from(
        { length: Math.floor(random() * 12) },
        () => alphabet[Math.floor(random() * alphabet.length)],
      ).join(''),
    ),
  ];
  for (const shell of ['bash', 'sh']) {
    const line = `printf '%s\\0' ${words.map(quote).join(' ')}`;
    // over stdin: the line is longer than an argument may be
    const { stdout, status } = spawnSync(shell, ['-s'], {
      input: line,
      encoding: 'utf8',
      env: { HOME: '/root', PATH: process.env.PATH },
    });
    assert.equal(status, 0);
    assert.deepEqual(stdout.split('\0').slice(0, -1), words, shell);
  }
});

it('a quoted word can be quoted again, as for a shell within a shell', () => {
  for (const word of ODD.filter((each) => each.length < 1_000)) {
    const inner = `printf '%s' ${quote(word)}`;
    const { stdout } = spawnSync('bash', ['-c', `bash -c ${quote(inner)}`], { encoding: 'utf8' });
    assert.equal(stdout, word);
  }
});

it('ordinary words are left as they are, so that logs can be read', () => {
  for (const word of ['bash', '-c', '/usr/bin/x', 'a.b-c_d', 'key=value', 'user@host:22']) {
    assert.equal(quote(word), word);
  }
});
