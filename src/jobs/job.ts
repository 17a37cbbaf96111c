import { randomBytes } from 'node:crypto';
import type { JobEnd, JobTarget } from '../platforms/platform.ts';
import { type JobWork, newJobId } from '../tao/runSpec.ts';
import type { ActionId } from '../values/failure.ts';
import type { Message } from '../values/message.ts';
import { COMMAND, type JobDetails } from './jobFolder.ts';
import type { JobRecord, JobState, TerminalState } from './record.ts';

/** A job as it is shown. */
export interface Job {
  readonly details: JobDetails;
  readonly state: JobState;
  /** The last words of its record, or the step that it is in. */
  readonly note: string;
  /** Set while the log can't be followed although the job may be running. */
  readonly trouble: string | undefined;
  /** Whether only its record is known here: somebody else submitted it, or a version that knows more platforms. */
  readonly foreign: boolean;
  /** When its record last changed; for an ended job that is its end. Milliseconds since the epoch. */
  readonly changedAt: number;
}

export interface JobEnded {
  readonly job: Job;
  readonly sentence: Message;
  readonly action: ActionId | undefined;
  /** How the platform saw it; undefined when it ended in a window that was closed before it could say so. */
  readonly end: JobEnd | undefined;
}

/** How a plain command stands in a record. */
const PLAIN_COMMAND = { network: COMMAND, action: 'run', image: '', gpus: 'all' } as const;

/** What a job does, as its record and details name it. */
export function describeWork(work: JobWork): Pick<JobDetails, 'network' | 'action' | 'image' | 'gpus'> {
  return work.kind === 'spec' ? work.spec : { ...PLAIN_COMMAND, ...work.container };
}

/** A new id for a job that is to be submitted. Who must not submit twice keeps it before. */
export function makeJobId(work: JobWork): string {
  return newJobId(describeWork(work), randomBytes(3).toString('hex'));
}

export function isTerminal(state: JobState): state is TerminalState {
  return state === 'COMPLETE' || state === 'ERROR' || state === 'CANCELED';
}

export function targetOf(details: JobDetails): JobTarget {
  return { jobId: details.id, instanceId: details.instanceId, instanceName: details.instanceName };
}

/** When a record last changed; 0 when it doesn't tell. */
export function changedAt(record: JobRecord): number {
  const at = Date.parse(record.transitions.at(-1)?.ts ?? record.submitted_at);
  return Number.isNaN(at) ? 0 : at;
}

/** What a foreign record tells; `<instance>/<container>` is the convention for Brev (tao.md part 2). */
export function foreignDetails(record: JobRecord): JobDetails {
  const [instanceName = ''] = (record.backend_ref ?? '').split('/');
  const submittedAt = Date.parse(record.submitted_at);
  return {
    id: record.id,
    platform: record.platform,
    instanceId: '',
    instanceName,
    specUri: '',
    network: record.network_arch,
    action: record.action,
    image: record.image,
    gpus: 'all',
    submittedAt: Number.isNaN(submittedAt) ? 0 : submittedAt,
  };
}

/** The container that a record names, where it follows that convention. */
export function containerOf(record: JobRecord | undefined): string | undefined {
  const [, container = ''] = /^[^/]+\/([^/]+)$/.exec(record?.backend_ref ?? '') ?? [];
  return /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(container) ? container : undefined;
}
