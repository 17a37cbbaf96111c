import * as vscode from 'vscode';
import type { InstanceGauge } from '../../instances/gauges.ts';
import { isOn } from '../../instances/instance.ts';
import type { ReadinessState } from '../../instances/readinessWatch.ts';
import { doubts, type Timeline } from '../../instances/timeline.ts';
import { localize } from '../localize.ts';
import { formatCost, formatGpu } from '../price.ts';
import { gaugeLines } from './gaugeWords.ts';
import { type InstanceFacts, stateWords } from './instanceItem.ts';
import { doubtWords, timelineLines } from './timelineWords.ts';

/** The hover of an instance. Names come from outside, so every value is put in as plain text. */
export function instanceTooltip(facts: InstanceFacts, gauge?: InstanceGauge): vscode.MarkdownString {
  const { instance, offer, readiness } = facts;
  const text = new vscode.MarkdownString('', true);
  text.supportHtml = false;
  text.appendMarkdown('### ');
  text.appendText(instance.name);
  text.appendMarkdown('\n\n');
  row(text, vscode.l10n.t('State'), stateWords(facts));
  row(text, vscode.l10n.t('GPU'), formatGpu(instance, offer));
  if (offer?.gpu !== undefined) {
    row(text, vscode.l10n.t('GPU memory'), vscode.l10n.t('{0} GB each', offer.gpu.vramGb));
  }
  row(text, vscode.l10n.t('Type'), instance.type);
  if (offer !== undefined) {
    row(
      text,
      vscode.l10n.t('Machine'),
      vscode.l10n.t('{0} CPUs, {1} GB memory, {2}', offer.vcpus, offer.ramGb, offer.provider),
    );
  }
  row(text, vscode.l10n.t('Cost'), formatCost(instance, offer));
  for (const { label, value } of gauge === undefined ? [] : gaugeLines(gauge)) {
    row(text, label, value);
  }
  const { build, shell, health } = instance.reported;
  row(
    text,
    vscode.l10n.t('Brev says'),
    `${instance.reported.status || '–'} · build ${build || '–'} · shell ${shell || '–'} · health ${health || '–'}`,
  );
  row(text, 'id', instance.id);
  for (const doubt of doubts(instance)) {
    text.appendMarkdown('\n\n$(warning) ');
    text.appendText(doubtWords(doubt));
  }
  if (readiness?.kind === 'ended' && readiness.readiness.kind === 'notReady') {
    text.appendMarkdown('\n\n$(warning) ');
    text.appendText(localize(readiness.readiness.because.message));
  }
  for (const line of readiness === undefined ? [] : timelineLines(timelineOf(readiness))) {
    text.appendMarkdown('\n- ');
    text.appendText(line);
  }
  if (isOn(instance) && offer?.stoppable === false) {
    text.appendMarkdown('\n\n$(info) ');
    text.appendText(vscode.l10n.t('This type cannot be stopped: only deleting it ends the billing.'));
  }
  if (!instance.usableName) {
    text.appendMarkdown('\n\n$(shield) ');
    text.appendText(
      vscode.l10n.t('No commands are run on it: its name could be taken for shell code by the Brev CLI.'),
    );
  }
  return text;
}

function timelineOf(readiness: ReadinessState | undefined): Timeline {
  if (readiness?.kind === 'waiting') {
    return readiness.progress?.timeline ?? {};
  }
  return readiness?.kind === 'ended' && readiness.readiness.kind !== 'cancelled'
    ? readiness.readiness.timeline
    : {};
}

function row(text: vscode.MarkdownString, name: string, value: string): void {
  text.appendMarkdown('**');
  text.appendText(name);
  text.appendMarkdown('** ');
  text.appendText(value);
  text.appendMarkdown('  \n');
}
