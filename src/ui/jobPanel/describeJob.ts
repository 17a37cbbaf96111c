import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../jobs/job.ts';
import type { CurvePoints } from '../../tao/run/curve.ts';
import { explain } from '../../tao/run/explain.ts';
import type { RunReading } from '../../tao/run/runReading.ts';
import type { RunSummary } from '../../tao/run/runSummary.ts';
import { duration } from '../instances/timelineWords.ts';
import { progressWords } from '../jobs/progressWords.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import type { PanelFact, PanelJob, PanelSeries } from './protocol.ts';

/** What the panel shows of a job. */
export function describeJob(parts: Parts, job: Job, reading: RunReading): PanelJob {
  const { summary } = reading;
  const { trouble } = summary;
  const explanation = trouble === undefined || job.state === 'COMPLETE' ? undefined : explain(trouble);
  const shown = explanation !== undefined && (job.state === 'ERROR' || trouble?.kind === 'nanLoss');
  return {
    id: job.details.id,
    title: job.details.id,
    state: job.state,
    progress: job.state === 'COMPLETE' ? 1 : summary.progress,
    progressText: isTerminal(job.state) ? job.note : progressWords(summary),
    facts: facts(parts, job, summary),
    problem: shown
      ? { sentence: localize(explanation.sentence), advice: localize(explanation.advice) }
      : undefined,
    series: reading.curves().map(toSeries),
  };
}

function facts(parts: Parts, job: Job, summary: RunSummary): readonly PanelFact[] {
  const { details } = job;
  const end = isTerminal(job.state) ? job.changedAt : Date.now();
  const type = parts.store.find(details.instanceId)?.type;
  const price = type === undefined ? undefined : parts.offers.known(type)?.pricePerHour;
  const fact = (label: string, value: string | undefined): readonly PanelFact[] =>
    value === undefined || value === '' ? [] : [{ label, value }];
  return [
    ...fact(vscode.l10n.t('Instance'), details.instanceName),
    ...fact(vscode.l10n.t('Lasted'), duration(end - details.submittedAt)),
    ...fact(
      vscode.l10n.t('Cost of the machine meanwhile (estimate)'),
      price === undefined
        ? vscode.l10n.t('price unknown')
        : `$${((price * (end - details.submittedAt)) / 3_600_000).toFixed(2)}`,
    ),
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
    ...fact(vscode.l10n.t('Results'), summary.resultsDir),
    ...fact(vscode.l10n.t('Last checkpoint'), summary.checkpoints.at(-1)?.path),
  ];
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
