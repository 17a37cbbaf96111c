import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { suitesOf } from '../../host/suites.ts';

describe('suitesOf', () => {
  it('puts plain test files into one window', () => {
    assert.deepEqual(suitesOf(['/t/view.test.ts', '/t/create.test.ts']), [
      { name: 'main', restricted: false, phases: [['/t/create.test.ts', '/t/view.test.ts']] },
    ]);
  });

  it('makes a window with reloads of numbered phases, in their order', () => {
    const files = ['/t/jobs.run.phase2.test.ts', '/t/jobs.run.phase1.test.ts', '/t/jobs.list.phase1.test.ts'];
    const [second, first, before] = files;
    assert.deepEqual(suitesOf(files), [
      { name: 'jobs', restricted: false, phases: [[before, first], [second]] },
    ]);
  });

  it('has a second window for files about what is seen, beside the plain ones', () => {
    assert.deepEqual(
      suitesOf(['/t/view.seen.test.ts', '/t/view.test.ts', '/t/create.seen.test.ts']).map(
        ({ name, phases }) => [name, phases.flat().length],
      ),
      [
        ['seen', 2],
        ['main', 1],
      ],
    );
  });

  it('keeps files for an untrusted folder apart', () => {
    assert.deepEqual(suitesOf(['/t/trust.restricted.test.ts']), [
      { name: 'restricted', restricted: true, phases: [['/t/trust.restricted.test.ts']] },
    ]);
  });
});
