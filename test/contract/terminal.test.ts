import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { anyBrev, simOnly } from './support/brev.ts';
import { parseRows } from './support/rows.ts';

const shown = (text: string) => stripVTControlCharacters(text).replaceAll('\r\n', '\n');

anyBrev(
  'exec on a terminal prints no name',
  async ({ run, inTerminal, running }) => {
    await run(['exec', running, 'true']);
    const { code, stdout } = await inTerminal(['exec', running, 'echo hi']);
    assert.deepEqual([code, shown(stdout)], [0, 'hi\n']);
  },
  'running',
);

anyBrev('ls --json on a terminal is pure JSON, without colours', async ({ inTerminal }) => {
  const { code, stdout } = await inTerminal(['ls', '--json']);
  assert.equal(code, 0);
  assert.ok(!stdout.includes('\u001b'));
  assert.ok(Array.isArray(parseRows(stdout)));
});

anyBrev('search without a match says so on a terminal only', async ({ inTerminal }) => {
  const { code, stdout } = await inTerminal(['search', '--gpu-name', 'no-such-gpu']);
  assert.equal(code, 0);
  assert.match(shown(stdout), /^No GPU instances match the specified filters\n/);
});

simOnly('create on a terminal: a summary with the id, and no bare name', {}, async ({ sim, inTerminal }) => {
  const { code, stdout } = await inTerminal(['create', 'fresh', '-d', '--type', 'g5.xlarge']);
  assert.equal(code, 0);
  const { id } = await sim.instance('fresh');
  const text = shown(stdout);
  assert.match(text, /^Attempting to create 1 instance\(s\)/);
  assert.match(text, /^Successfully created 1 instance\(s\)!$/m);
  assert.match(
    text,
    new RegExp(`^Instance: fresh\\n {2}ID: ${id}\\n {2}Type: g5\\.xlarge\\n {2}Connect:$`, 'm'),
  );
  assert.doesNotMatch(text, /^fresh$/m);
});

simOnly('delete and stop on a terminal: a sentence instead of the name', {}, async ({ sim, inTerminal }) => {
  await sim.addInstance({ name: 'a' });
  const stop = await inTerminal(['stop', 'a']);
  assert.match(shown(stop.stdout), /^Stopping instance a\.\nNote: this can take a few seconds\. /);
  assert.doesNotMatch(shown(stop.stdout), /^a$/m);
  const gone = await inTerminal(['delete', 'a']);
  assert.match(
    shown(gone.stdout),
    /^Deleting instance a\. This can take a few minutes\. Run 'brev ls' to check status\n/,
  );
  assert.doesNotMatch(shown(gone.stdout), /^a$/m);
});

simOnly('delete on a terminal does not wait for stdin', {}, async ({ sim, inTerminal }) => {
  await sim.addInstance({ name: 'a' });
  assert.equal((await inTerminal(['delete', 'a'])).code, 0);
  assert.deepEqual((await sim.calls()).at(-1)?.stdin, 'tty');
});
