import { type Message, message } from '../../values/message.ts';
import { unreachable } from '../../values/unreachable.ts';
import { pullTrouble } from '../log/pullTrouble.ts';
import { likeliest, type Trouble } from '../log/trouble.ts';
import { troublesIn } from '../log/troubleSigns.ts';
import { type Artifact, artifactKind } from './artifact.ts';
import { explain } from './explain.ts';
import type { Explanation } from './explanation.ts';
import type { RunSummary } from './runSummary.ts';

/** How the job's container ended, as its platform saw it. */
export interface RunEnd {
  /** Undefined when nobody saw it. */
  readonly exitCode: number | undefined;
  readonly step:
    | 'launch'
    | 'docker'
    | 'login'
    | 'pull'
    | 'create'
    | 'run'
    | 'cancel'
    | 'lost'
    | 'interrupted';
  readonly outOfMemory: boolean;
  /** Docker's own words. */
  readonly error: string;
}

/** Everything that a judgement rests on. */
export interface Evidence {
  readonly end: RunEnd;
  readonly summary: RunSummary;
  /** Whether the results hold what the action is run for. */
  readonly artifact: Artifact;
  readonly action: string;
}

/** What became of a run. Only `succeeded` is a success without a doubt. */
export interface RunVerdict {
  readonly kind: 'succeeded' | 'doubtful' | 'failed' | 'cancelled' | 'unknown';
  readonly sentence: Message;
  /** What speaks against a success, or what else is known; each a sentence. */
  readonly reasons: readonly Message[];
  readonly trouble: Trouble | undefined;
  readonly explanation: Explanation | undefined;
}

/**
 * Judges a run from exit code, log, status.json and artifact together: TAO exits with 0 after an interruption, some
 * networks do so after a failure or with a NaN loss, and none of the PyTorch ones says SUCCESS (tao.md part 3).
 */
export function verdictOf(evidence: Evidence): RunVerdict {
  const { end, summary } = evidence;
  switch (end.step) {
    case 'cancel':
      return verdict('cancelled', message('Cancelled.'), progressReasons(summary));
    case 'lost':
      return verdict(
        'unknown',
        message('What became of the run is not known: {0}', end.error),
        progressReasons(summary),
      );
    case 'interrupted':
      return verdict('unknown', message('The run was cut off: {0}', end.error), progressReasons(summary));
    case 'launch':
      return verdict('failed', message('It never started: {0}', end.error), []);
    case 'docker':
      return failed(troubleOfWords(end.error, summary) ?? { kind: 'dockerDown' });
    case 'login':
      return failed({ kind: 'imagePull', why: 'loginRefused', text: end.error });
    case 'pull':
      return failed(pullTrouble(end.error));
    case 'create':
      return failed(
        troubleOfWords(end.error, summary) ?? {
          kind: 'exception',
          type: 'docker',
          text: end.error,
          rank: undefined,
        },
      );
    case 'run':
      return end.exitCode === undefined ? unseen(summary) : ended(evidence, end.exitCode);
    default:
      return unreachable(end.step);
  }
}

function ended(evidence: Evidence, exitCode: number): RunVerdict {
  const { end, summary } = evidence;
  if (exitCode === 0) {
    return passed(evidence);
  }
  const inLog = likeliest(summary.troubles.filter(({ kind }) => kind !== 'nanLoss'));
  if (end.outOfMemory) {
    return failed({ kind: 'hostOutOfMemory' });
  }
  if (inLog !== undefined) {
    return failed(inLog);
  }
  switch (exitCode) {
    // SIGKILL and SIGTERM: the program itself says nothing then (tao.md part 6)
    case 137:
    case 143:
      return failed({ kind: 'killed', exitCode });
    case 135:
      return failed({ kind: 'sharedMemory' });
    default:
      return verdict(
        'failed',
        message('Failed with exit code {0}; the log does not say why.', exitCode),
        progressReasons(summary),
      );
  }
}

function passed({ summary, artifact, action }: Evidence): RunVerdict {
  const { trouble, reasons } = doubts(summary, artifact, action);
  return reasons.length === 0
    ? verdict('succeeded', message('Finished.'), [])
    : verdict(
        'doubtful',
        message('Finished with exit code 0, but it may not have worked.'),
        reasons,
        trouble,
      );
}

/** What speaks against a run that ended with exit code 0. */
function doubts(
  summary: RunSummary,
  artifact: Artifact,
  action: string,
): { readonly trouble: Trouble | undefined; readonly reasons: readonly Message[] } {
  const reasons: Message[] = [];
  const isFinished = summary.status?.isFinished === true;
  const interrupted = summary.troubles.find(({ kind }) => kind === 'interrupted');
  const nan = summary.troubles.find(({ kind }) => kind === 'nanLoss');
  // an error that was told and survived is none, once TAO says that it is through
  const error = isFinished
    ? undefined
    : likeliest(summary.troubles.filter((trouble) => trouble !== nan && trouble !== interrupted));
  if (interrupted !== undefined && !isFinished) {
    reasons.push(explain(interrupted).sentence);
  }
  if (nan !== undefined) {
    reasons.push(explain(nan).sentence);
  }
  if (error !== undefined) {
    reasons.push(explain(error).sentence);
  }
  if (summary.executionStatus === 'FAIL') {
    reasons.push(message('TAO itself says that it failed.'));
  }
  if (artifact === 'missing') {
    reasons.push(missingArtifact(action));
  }
  if (reasons.length === 0 && summary.status !== undefined && !isFinished) {
    reasons.push(message('status.json does not say that it finished: {0}', summary.status.message));
  }
  return { trouble: interrupted ?? error ?? nan, reasons };
}

function missingArtifact(action: string): Message {
  switch (artifactKind(action)) {
    case 'weights':
      return message('There is no checkpoint in the results.');
    case 'model':
      return message('There is no exported model in the results.');
    case 'engine':
      return message('There is no engine in the results.');
    case 'results':
      return message('The results are empty.');
  }
}

/** Nobody saw the exit code: what the files say is told, and is no verdict. */
function unseen(summary: RunSummary): RunVerdict {
  const reasons =
    summary.status?.isFinished === true || summary.executionStatus === 'PASS'
      ? [message('By its log it finished.')]
      : progressReasons(summary);
  return verdict('unknown', message('The run ended, but nobody saw how.'), reasons, summary.trouble);
}

function progressReasons({ epoch, epochs, checkpoints }: RunSummary): readonly Message[] {
  const reasons: Message[] = [];
  if (epoch !== undefined) {
    reasons.push(
      epochs === undefined
        ? message('It was in epoch {0}.', epoch + 1)
        : message('It was in epoch {0} of {1}.', epoch + 1, epochs),
    );
  }
  const last = checkpoints.at(-1);
  if (last !== undefined) {
    reasons.push(message('Its last checkpoint: {0}', last.path));
  }
  return reasons;
}

function troubleOfWords(words: string, summary: RunSummary): Trouble | undefined {
  return likeliest(troublesIn(words, { rank: undefined, isBeforeRun: true })) ?? summary.trouble;
}

function failed(trouble: Trouble): RunVerdict {
  return verdict('failed', explain(trouble).sentence, [], trouble);
}

function verdict(
  kind: RunVerdict['kind'],
  sentence: Message,
  reasons: readonly Message[],
  trouble?: Trouble,
): RunVerdict {
  return {
    kind,
    sentence,
    reasons,
    trouble,
    explanation: trouble === undefined ? undefined : explain(trouble),
  };
}
