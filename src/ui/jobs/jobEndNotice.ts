import * as vscode from 'vscode';
import { isOn } from '../../instances/instance.ts';
import { isTerminal, type Job, type JobEnded } from '../../jobs/job.ts';
import { verdictOf } from '../../tao/run/verdict.ts';
import { type Action, actionFor } from '../actions.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import { formatPrice } from '../price.ts';
import { jobFault } from './jobFault.ts';

interface Button {
  readonly title: string;
  readonly press: () => unknown;
}

/** Says how a job ended, what its log says of that, and what can be done next. */
export async function notifyOfEnd(ended: JobEnded, parts: Parts): Promise<void> {
  const { job } = ended;
  const { id, instanceName } = job.details;
  const sentence = vscode.l10n.t('{0} on {1}: {2}', id, instanceName, localize(ended.sentence));
  const why = await explanation(ended, parts);
  const show =
    job.state === 'ERROR'
      ? vscode.window.showErrorMessage
      : (job.state === 'COMPLETE' && !why.isDoubtful) || job.state === 'CANCELED'
        ? vscode.window.showInformationMessage
        : vscode.window.showWarningMessage;
  const ends = endsOfMachine(job, parts);
  const buttons = buttonsFor(ended, parts, why.action, ends);
  const more = [...why.sentences, ...(ends.length === 0 ? [] : costAfterwards(job, parts))];
  const text = more.length === 0 ? sentence : [`${sentence}.`, ...more].join(' ');
  const chosen = await show(text, ...buttons.map(({ title }) => title));
  await buttons.find(({ title }) => title === chosen)?.press();
}

/** A command that ends the machine of a job. */
interface MachineEnd {
  readonly title: string;
  readonly command: string;
}

/** What helps comes first, what ends the machine last; none is chosen by anything but a press. */
function buttonsFor(
  { action, job }: JobEnded,
  parts: Parts,
  fix: Action | undefined,
  ends: readonly MachineEnd[],
): readonly Button[] {
  const node = { kind: 'job', id: job.details.id };
  const next =
    fix ??
    (action === undefined
      ? undefined
      : actionFor(action, { instanceId: job.details.instanceId, job: job.details }));
  const run = (title: string, command: string, ...args: readonly unknown[]): Button => ({
    title,
    press: () => vscode.commands.executeCommand(command, ...args),
  });
  const log = { title: vscode.l10n.t('Show Log'), press: () => parts.jobLogs.show(job) };
  const curves = run(vscode.l10n.t('Curves'), 'brev.showJobPanel', node);
  return [
    ...(next === undefined ? [] : [run(next.title, next.command, ...next.args)]),
    // after a success one looks at what came of it, else at what was said
    ...(job.state === 'COMPLETE'
      ? [curves, run(vscode.l10n.t('Results…'), 'brev.showResults', node), log]
      : [log, curves]),
    ...ends.map(({ title, command }) =>
      run(title, command, { kind: 'instance', id: job.details.instanceId }),
    ),
  ];
}

/** A machine that nothing runs on any more only costs. One that was made for this job is asked about anyway. */
function endsOfMachine(
  { details }: Job,
  { jobs, offers, plannedJobs, store, wishes }: Parts,
): readonly MachineEnd[] {
  const instance = store.find(details.instanceId);
  const others = jobs.all.some(
    (job) => job.details.instanceId === details.instanceId && !isTerminal(job.state),
  );
  if (
    instance === undefined ||
    !isOn(instance) ||
    others ||
    plannedJobs.has(details.id) ||
    wishes.get(instance.id)?.lifetime === 'ephemeral'
  ) {
    return [];
  }
  return [
    ...(offers.known(instance.type)?.stoppable === false
      ? []
      : [{ title: vscode.l10n.t('Stop Instance…'), command: 'brev.stopInstance' }]),
    { title: vscode.l10n.t('Delete Instance…'), command: 'brev.deleteInstance' },
  ];
}

/** What it costs not to end it. */
function costAfterwards({ details }: Job, parts: Parts): readonly string[] {
  const instance = parts.store.find(details.instanceId);
  if (instance === undefined) {
    return [];
  }
  const price = formatPrice(parts.offers.known(instance.type)?.pricePerHour);
  return [vscode.l10n.t('{0} stays on ({1}).', instance.name, price)];
}

interface Why {
  readonly sentences: readonly string[];
  readonly action: Action | undefined;
  readonly isDoubtful: boolean;
}

const NOTHING: Why = { sentences: [], action: undefined, isDoubtful: false };

/** What log and status.json say of a failure, or of a success that is in doubt. */
async function explanation({ end, job }: JobEnded, parts: Parts): Promise<Why> {
  if (end === undefined || job.foreign) {
    return NOTHING;
  }
  const { summary } = await (await parts.readings()).read(job);
  const verdict = verdictOf({ end, summary, artifact: 'unknown', action: job.details.action });
  switch (verdict.kind) {
    case 'failed': {
      if (verdict.trouble === undefined || verdict.explanation === undefined) {
        return { ...NOTHING, sentences: end.step === 'run' ? [localize(verdict.sentence)] : [] };
      }
      const fault = await jobFault(parts, job, verdict.trouble, verdict.explanation);
      return {
        // what docker said stands in the sentence of the end already
        sentences: [...(end.step === 'run' ? [fault.sentence] : []), fault.advice],
        // the job's log has a button of its own
        action: verdict.explanation.action === 'showJobLog' ? undefined : fault.action,
        isDoubtful: false,
      };
    }
    case 'doubtful':
      return {
        sentences: [localize(verdict.sentence), ...verdict.reasons.map(localize)],
        action: undefined,
        isDoubtful: true,
      };
    case 'succeeded':
    case 'cancelled':
    case 'unknown':
      return NOTHING;
  }
}
