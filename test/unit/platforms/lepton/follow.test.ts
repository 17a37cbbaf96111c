import assert from 'node:assert/strict';
import { readFile, truncate } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { LeptonSim } from '../../../lepton-sim/sim.ts';
import { eventually } from '../../../support/eventually.ts';
import { value } from '../../../support/outcomes.ts';
import { logFile, small, type World, world } from './support.ts';

const LINES = 300;
/** Lines with brackets, a progress bar and no end of line at the end. */
const TALK = `for i in $(seq ${LINES}); do echo "[step $i] of /results"; done; printf 'bar\\rbar 100%%\\r'`;

const outputs = (sim: LeptonSim): string[] =>
  (sim.jobs()[0]?.replicas ?? []).map(({ output }) => String(output));
const logOf = ({ folder }: World, jobId: string): Promise<string> => readFile(logFile(folder, jobId), 'utf8');

async function submitted(t: Parameters<typeof world>[0], command = TALK, nodes = 1): Promise<World> {
  const made = await world(t);
  value(await made.submit('job-1', command, { placement: { ...small, nodes } }));
  return made;
}

/** The log is the replica's output, byte by byte. */
async function assertWhole(made: World): Promise<void> {
  const [output] = outputs(made.sim);
  assert.ok(output?.includes(`[step ${LINES}]`));
  assert.equal(await logOf(made, 'job-1'), output);
}

describe('following a job', () => {
  it('tells its steps, its whole log and its end', async (t) => {
    const made = await world(t);
    made.sim.behave('job-1', { toldState: 'Queueing' });
    value(await made.submit('job-1', TALK));
    const following = made.follow('job-1');
    // the answer to the second question is told by then
    await eventually(() => made.sim.calls.filter(({ path }) => path.endsWith('/replicas')).length > 1);
    made.sim.behave('job-1', {});
    const { end, steps, reasons } = await following;
    assert.deepEqual(end, { exitCode: 0, step: 'run', outOfMemory: false, error: '' });
    assert.deepEqual(reasons, []);
    assert.equal(steps[0], 'queueing');
    await assertWhole(made);
  });

  it('comes late, after the end', async (t) => {
    const made = await submitted(t);
    await eventually(() => made.sim.jobs()[0]?.isOver === true);
    assert.equal((await made.follow('job-1')).end?.exitCode, 0);
    await assertWhole(made);
  });

  for (const clean of [false, true]) {
    it(`goes on after streams that ${clean ? 'end too early' : 'break off'}`, async (t) => {
      const made = await submitted(t);
      made.sim.fail(
        { on: /\/log$/, times: 1, what: { kind: 'drop', afterBytes: 100, clean } },
        { on: /\/log$/, times: 1, what: { kind: 'drop', afterBytes: 1_000, clean } },
      );
      assert.equal((await made.follow('job-1')).end?.exitCode, 0);
      await assertWhole(made);
    });
  }

  it('fills what the streams cannot give from the stored lines', async (t) => {
    const made = await submitted(t);
    made.sim.fail({ on: /\/log$/, what: { kind: 'drop', afterBytes: 500 } });
    assert.equal((await made.follow('job-1')).end?.exitCode, 0);
    assert.ok(made.sim.calls.some(({ path }) => path === '/logs'));
    await assertWhole(made);
  });

  it('reads the stored lines where the stream has lost its beginning', async (t) => {
    const made = await submitted(t, `${TALK}; sleep 600`);
    made.sim.fail({ on: /\/log$/, times: 1, what: { kind: 'drop', afterBytes: 500 } });
    const abort = new AbortController();
    const following = made.follow('job-1', abort.signal);
    await eventually(async () => (await logOf(made, 'job-1').catch(() => '')).length === 500);
    abort.abort();
    await following;
    made.sim.fail({ on: /\/log$/, what: { kind: 'rotated', firstBytes: 50 } });
    const again = made.follow('job-1');
    await eventually(async () => (await logOf(made, 'job-1')).includes(`[step ${LINES}]`));
    await made.platform.cancel(made.target('job-1'), new AbortController().signal);
    const { end, truncations } = await again;
    assert.equal(end?.step, 'cancel');
    assert.equal(truncations, 0);
    const [output = ''] = outputs(made.sim);
    const log = await logOf(made, 'job-1');
    // a stored line has an end of line where the stream had none
    assert.equal(log.trimEnd(), output.trimEnd());
  });

  it('goes on in a later session where the copy ends, and adds what a crash left out', async (t) => {
    const made = await submitted(t);
    await made.follow('job-1');
    const whole = await logOf(made, 'job-1');
    const pieces = JSON.parse(await readFile(`${made.folder}/job-1.cursor`, 'utf8'));
    // as if the process had died within the last write, then before it
    for (const left of [Math.floor((pieces.at + whole.length) / 2), pieces.at]) {
      await truncate(logFile(made.folder, 'job-1'), left);
      assert.equal((await made.follow('job-1')).end?.exitCode, 0);
      assert.equal(await logOf(made, 'job-1'), whole);
    }
  });

  it('goes on from a copy that came without its positions', async (t) => {
    const made = await submitted(t);
    await made.follow('job-1');
    const whole = await logOf(made, 'job-1');
    await truncate(logFile(made.folder, 'job-1'), 77);
    await made.follow('job-1');
    assert.equal(await logOf(made, 'job-1'), whole);
  });

  it('labels the lines of several nodes, each once, over broken streams and sessions', async (t) => {
    const made = await submitted(
      t,
      'for i in $(seq 200); do echo "rank $NODE_RANK of $NNODES at $MASTER_ADDR: $i"; done',
      3,
    );
    made.sim.fail({ on: /\/log$/, times: 4, what: { kind: 'drop', afterBytes: 2_000 } });
    assert.equal((await made.follow('job-1')).end?.exitCode, 0);
    const job = made.sim.jobs()[0];
    const lines = (await logOf(made, 'job-1')).split('\n');
    for (const [index, replica] of (job?.replicas ?? []).entries()) {
      const label = `[${replica.id.slice((job?.id.length ?? 0) + 1)}] `;
      const own = lines.filter((line) => line.startsWith(label)).map((line) => line.slice(label.length));
      assert.equal(`${own.join('\n')}\n`, String(replica.output));
      assert.equal(own[0], `rank ${index} of 3 at ${job?.id}-0.${job?.id}-job-svc: 1`);
    }
  });

  it('reconnects over trouble of the service', async (t) => {
    const made = await submitted(t);
    made.sim.fail(
      { on: /^GET \/jobs$/, times: 5, what: { kind: 'status', status: 503 } },
      { on: /^GET \/jobs\/[^/]+$/, times: 1, what: { kind: 'invalidJson' } },
      { on: /\/replicas$/, times: 1, what: { kind: 'reset' } },
    );
    const { end, reasons } = await made.follow('job-1');
    assert.equal(end?.exitCode, 0);
    assert.ok(reasons.some((reason) => reason.includes('HTTP 503')));
    assert.ok(reasons.some((reason) => reason.includes('could not be read')));
    await assertWhole(made);
  });
});

describe('the end of a job', () => {
  const endOf = async (made: World) => (await made.follow('job-1')).end;

  it('has the exit code of the program', async (t) => {
    const made = await submitted(t, 'echo "[tao-job job-1] exit code 0"; exit 7');
    assert.deepEqual(await endOf(made), { exitCode: 7, step: 'run', outOfMemory: false, error: '' });
  });

  it('is a failure when one of several nodes fails', async (t) => {
    const made = await world(t);
    made.sim.behave('job-1', { failingReplica: 1 });
    value(await made.submit('job-1', 'true', { placement: { ...small, nodes: 2 } }));
    const end = await endOf(made);
    assert.equal(end?.step, 'interrupted');
    assert.match(end?.error ?? '', /Failed/);
  });

  it('is the image, when that cannot be pulled', async (t) => {
    const made = await world(t);
    made.sim.behave('job-1', { noImage: true });
    value(await made.submit('job-1', 'true'));
    const end = await endOf(made);
    assert.equal(end?.step, 'pull');
    assert.match(end?.error ?? '', /ErrImagePull: .*unauthorized/);
  });

  it('is unknown for a job that is archived, removed or was never there', async (t) => {
    const made = await submitted(t, 'true');
    made.sim.behave('job-1', { toldState: 'Archived' });
    assert.equal((await made.followOnce('job-1')).kind, 'finished');
    assert.equal((await endOf(made))?.step, 'lost');
    assert.match((await made.follow('job-0')).end?.error ?? '', /there is no job job-0/);
  });

  it('waits while the state is one that nobody knows', async (t) => {
    const made = await submitted(t, 'true');
    made.sim.behave('job-1', { toldState: 'Pondering' });
    const following = made.follow('job-1');
    const asked = (): number => made.sim.calls.filter(({ path }) => path.endsWith('/replicas')).length;
    await eventually(() => asked() > 3);
    made.sim.behave('job-1', {});
    assert.equal((await following).end?.exitCode, 0);
  });
});
