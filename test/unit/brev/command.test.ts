import assert from 'node:assert/strict';
import { it } from 'node:test';
import { create } from '../../../src/brev/create.ts';
import { refresh } from '../../../src/brev/exec.ts';
import { deleteInstance, reset, start, stop } from '../../../src/brev/lifecycle.ts';
import { loginWithToken, logout } from '../../../src/brev/login.ts';
import { ls } from '../../../src/brev/ls.ts';
import { search } from '../../../src/brev/search.ts';

const TYPE = { createBy: '--type', placementFlags: false } as const;
const L40S = { type: 'g6e.xlarge', gpu: { name: 'L40S', count: 1 } };

it('no command says --yes or --all, and each has a time limit of minutes at most', () => {
  const commands = [
    ls(),
    search('gpu'),
    search('cpu'),
    refresh(),
    loginWithToken('t'),
    logout(),
    ...[
      start('i'),
      stop('i'),
      reset('i'),
      deleteInstance('i'),
      create({ name: 'a', types: [L40S] }, TYPE),
    ].map((each) => {
      assert.ok(each.kind === 'ok');
      return each.value;
    }),
  ];
  for (const { args, name, timeoutMs } of commands) {
    assert.equal(args[0], name === 'orgs' ? 'ls' : name);
    assert.ok(!args.some((word) => /^(?:--yes|-y|--all|-a)$/.test(word)), args.join(' '));
    assert.ok(timeoutMs > 0 && timeoutMs <= 10 * 60_000, args.join(' '));
  }
});
