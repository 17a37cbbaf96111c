import { type Clock, sleep } from '../../process/clock.ts';
import type { Failure } from '../../values/failure.ts';
import { message } from '../../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../../values/outcome.ts';
import type { LeptonClient, LeptonJob } from './client.ts';
import type { LeptonJobBody } from './jobBody.ts';

/** A job may appear in the list a while after the answer to its creation was lost. */
const LOOK_AGAIN_MS = [0, 1_000, 3_000, 8_000] as const;

/** Our jobs of that name: another one's job of the same name has another label. */
export async function ourJobs(
  client: LeptonClient,
  name: string,
  jobId: string,
  signal: AbortSignal,
): Promise<Outcome<readonly LeptonJob[]>> {
  const found = await client.jobsNamed(name, signal);
  return found.kind === 'ok'
    ? ok(found.value.filter(({ ourId }) => ourId === undefined || ourId === jobId))
    : found;
}

/** Looks for our jobs of that name until there is one, or the last look found none. */
export async function awaitOurJobs(
  client: LeptonClient,
  clock: Clock,
  name: string,
  jobId: string,
  signal: AbortSignal,
): Promise<Outcome<readonly LeptonJob[]>> {
  let found = await ourJobs(client, name, jobId, signal);
  for (const pause of LOOK_AGAIN_MS.slice(1)) {
    if (found.kind === 'cancelled' || (found.kind === 'ok' && found.value.length > 0)) {
      break;
    }
    await sleep(clock, pause, signal);
    found = await ourJobs(client, name, jobId, signal);
  }
  return found;
}

/**
 * Creates a job exactly once. Lepton takes the same name twice and makes two jobs of it, so the name is looked for
 * before, and again when the answer doesn't say what became of the creation; it is never sent twice.
 */
export async function createOnce(
  client: LeptonClient,
  clock: Clock,
  jobId: string,
  body: LeptonJobBody,
  onCreating: () => void,
  signal: AbortSignal,
): Promise<Outcome<LeptonJob>> {
  const name = body.metadata.id;
  const before = await ourJobs(client, name, jobId, signal);
  if (before.kind !== 'ok') {
    return before;
  }
  const [existing] = before.value;
  if (existing !== undefined) {
    return ok(existing);
  }
  onCreating();
  const created = await client.create(body, signal);
  if (created.kind !== 'failed') {
    return created;
  }
  const doubt = doubtAfter(created.failure);
  if (doubt === 'none') {
    return created;
  }
  const after =
    doubt === 'great'
      ? await awaitOurJobs(client, clock, name, jobId, signal)
      : await ourJobs(client, name, jobId, signal);
  if (after.kind === 'cancelled') {
    return cancelled;
  }
  const [found] = after.kind === 'ok' ? after.value : [];
  if (found !== undefined) {
    return ok(found);
  }
  return doubt === 'great' || after.kind === 'failed'
    ? failed(outcomeUnknown(name, created.failure))
    : created;
}

/** Whether a failed creation may have made a job all the same. */
function doubtAfter({ kind }: Failure): 'none' | 'little' | 'great' {
  switch (kind) {
    case 'tokenStale':
    case 'forbidden':
    case 'jobLost':
      return 'none';
    // refused in words, one of which may be that the job is there already
    case 'unexpected':
      return 'little';
    default:
      return 'great';
  }
}

function outcomeUnknown(name: string, { message: reason, detail }: Failure): Failure {
  return {
    kind: 'createOutcomeUnknown',
    message: message(
      'It is not known whether Lepton created the job {0}. Look for it there before you submit it again.',
      name,
    ),
    action: 'openLeptonPage',
    retrySafe: false,
    detail: [reason.template, ...reason.args, detail ?? ''].join(' '),
  };
}
