import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FlagSpec, parseFlags } from '../../brev-sim/cli/flags.ts';
import { flagUsages } from '../../brev-sim/cli/help.ts';

const SPECS: FlagSpec[] = [
  { name: 'type', short: 't', type: 'string', usage: 'Types' },
  { name: 'count', short: 'c', type: 'int', usage: 'Count', byDefault: '1' },
  { name: 'detached', short: 'd', type: 'bool', usage: 'Detached' },
  { name: 'jupyter', type: 'bool', usage: 'Jupyter', byDefault: 'true' },
  { name: 'min-vram', short: 'v', type: 'float', usage: 'VRAM' },
  { name: 'secret', type: 'bool', usage: 'Hidden', hidden: true },
];

test('flags and arguments in any order', () => {
  const { flags, args, dashAt } = parseFlags(['x', '--type', 'a,b', '-d', 'y', '--count=3', '-v1.5'], SPECS);
  assert.deepEqual(args, ['x', 'y']);
  assert.equal(dashAt, undefined);
  assert.deepEqual([flags.text('type'), flags.on('detached'), flags.number('count')], ['a,b', true, 3]);
  assert.equal(flags.number('min-vram'), 1.5);
});

test('defaults, false, bundles of shorthands, and --', () => {
  const { flags, args, dashAt } = parseFlags(
    ['-dt', 'x', '--jupyter=false', 'n', '--', '--type', '-x'],
    SPECS,
  );
  assert.deepEqual([flags.on('detached'), flags.text('type'), flags.on('jupyter')], [true, 'x', false]);
  assert.equal(flags.number('count'), 1);
  assert.deepEqual([args, dashAt], [['n', '--type', '-x'], 1]);
});

test('errors in the words of pflag', () => {
  const message = (...words: string[]) => {
    try {
      parseFlags(words, SPECS);
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
    return 'none';
  };
  assert.equal(message('--nope'), 'unknown flag: --nope');
  assert.equal(message('-dx'), "unknown shorthand flag: 'x' in -x");
  assert.equal(message('-la'), "unknown shorthand flag: 'l' in -la");
  assert.equal(message('--type'), 'flag needs an argument: --type');
  assert.equal(message('-t'), "flag needs an argument: 't' in -t");
  assert.equal(
    message('--count', 'x'),
    'invalid argument "x" for "-c, --count" flag: strconv.ParseInt: parsing "x": invalid syntax',
  );
  assert.equal(
    message('--jupyter=maybe'),
    'invalid argument "maybe" for "--jupyter" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
  );
});

test('the table of flags lines up, sorted, without hidden ones', () => {
  assert.equal(
    flagUsages(SPECS),
    [
      '  -c, --count int        Count (default 1)',
      '  -d, --detached         Detached',
      '      --jupyter          Jupyter (default true)',
      '  -v, --min-vram float   VRAM',
      '  -t, --type string      Types',
    ].join('\n'),
  );
});
