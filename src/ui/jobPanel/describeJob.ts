import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../jobs/job.ts';
import type { Trouble } from '../../tao/log/trouble.ts';
import type { CurvePoints } from '../../tao/run/curve.ts';
import { explain } from '../../tao/run/explain.ts';
import type { RunReading } from '../../tao/run/runReading.ts';
import type { RunSummary } from '../../tao/run/runSummary.ts';
import { gaugeLines } from '../instances/gaugeWords.ts';
import { duration } from '../instances/timelineWords.ts';
import { type JobFault, jobFault } from '../jobs/jobFault.ts';
import { platformWords } from '../jobs/platformWords.ts';
import { progressWords } from '../jobs/progressWords.ts';
import type { Parts } from '../parts.ts';
import { formatAmount } from '../price.ts';
import type { PanelFact, PanelJob, PanelSeries } from './protocol.ts';

/** What the panel shows of a job. */
export async function describeJob(parts: Parts, job: Job, reading: RunReading): Promise<PanelJob> {
  const { summary } = reading;
  const { trouble } = summary;
  const fault = await faultOf(parts, job, trouble);
  return {
    id: job.details.id,
    title: job.details.id,
    state: job.state,
    progress: job.state === 'COMPLETE' ? 1 : summary.progress,
    progressText: isTerminal(job.state) ? job.note : progressWords(summary),
    notice: notice(job),
    facts: facts(parts, job, summary),
    problem:
      fault === undefined
        ? undefined
        : { sentence: fault.sentence, advice: fault.advice, action: fault.action?.title },
    series: reading.curves().map(toSeries),
  };
}

function notice({ note, state, trouble }: Job): string {
  if (trouble !== undefined) {
    return vscode.l10n.t('The log cannot be followed right now; the job itself may be fine. {0}', trouble);
  }
  return state === 'UNKNOWN' ? vscode.l10n.t('How it stands is not known: {0}', note) : '';
}

/** What is wrong with a job by its log, and the button that helps; undefined where nothing is. */
export async function faultOf(
  parts: Parts,
  job: Job,
  trouble: Trouble | undefined,
): Promise<JobFault | undefined> {
  const isShown =
    trouble !== undefined &&
    (job.state === 'ERROR' || (trouble.kind === 'nanLoss' && job.state !== 'COMPLETE'));
  return isShown ? jobFault(parts, job, trouble, explain(trouble)) : undefined;
}

function facts(parts: Parts, job: Job, summary: RunSummary): readonly PanelFact[] {
  const { details } = job;
  const end = isTerminal(job.state) ? job.changedAt : Date.now();
  const type = parts.store.find(details.instanceId)?.type;
  const price = type === undefined ? undefined : parts.offers.known(type)?.pricePerHour;
  const fact = (label: string, value: string | undefined): readonly PanelFact[] =>
    value === undefined || value === '' ? [] : [{ label, value }];
  return [
    ...fact(platformWords(details.platform).place, details.instanceName),
    ...fact(vscode.l10n.t('Lasted'), duration(end - details.submittedAt)),
    ...fact(
      vscode.l10n.t('Cost of the machine meanwhile (estimate)'),
      price === undefined
        ? vscode.l10n.t('price unknown')
        : formatAmount((price * (end - details.submittedAt)) / 3_600_000),
    ),
    ...gaugeFacts(parts, job),
    ...fact(
      vscode.l10n.t('Left'),
      summary.etaSeconds === undefined || isTerminal(job.state)
        ? undefined
        : duration(summary.etaSeconds * 1_000),
    ),
    ...fact(
      vscode.l10n.t('An epoch takes'),
      summary.secondsPerEpoch === undefined ? undefined : duration(summary.secondsPerEpoch * 1_000),
    ),
    ...fact(vscode.l10n.t('Image'), details.image),
    ...fact(vscode.l10n.t('Results'), details.placement?.outputs?.[0]?.uri ?? summary.resultsDir),
    ...fact(vscode.l10n.t('Last checkpoint'), summary.checkpoints.at(-1)?.path),
  ];
}

/** How busy the machine is, as long as the job runs on it; what can't be seen is said to be unknown. */
function gaugeFacts(parts: Parts, { details, state }: Job): readonly PanelFact[] {
  if (state !== 'RUNNING' || details.platform !== 'brev') {
    return [];
  }
  const gauge = parts.gauges.now(details.instanceId);
  return gauge === undefined
    ? [{ label: vscode.l10n.t('GPU use'), value: vscode.l10n.t('unknown') }]
    : gaugeLines(gauge);
}

function toSeries(curve: CurvePoints): PanelSeries {
  return {
    name: curve.name,
    axis: 'epoch',
    chart: chartOf(curve.name),
    x: curve.x,
    y: curve.y.map((value) => (Number.isFinite(value) ? value : null)),
  };
}

/** Curves of one kind share a chart: losses fall together, a learning rate would hide beside them. */
function chartOf(name: string): string {
  if (/loss/i.test(name)) {
    return vscode.l10n.t('Loss');
  }
  return /^lr(?:$|[-_/])/.test(name) ? vscode.l10n.t('Learning rate') : vscode.l10n.t('KPIs');
}
