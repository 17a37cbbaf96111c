import * as vscode from 'vscode';
import type { Job } from '../../jobs/job.ts';
import type { JobState } from '../../jobs/record.ts';
import type { JobNode } from '../instances/nodes.ts';
import { duration } from '../instances/timelineWords.ts';
import { platformWords } from './platformWords.ts';

const ICONS: Readonly<Record<JobState, readonly [string, string]>> = {
  PENDING: ['watch', 'charts.yellow'],
  RUNNING: ['loading~spin', 'charts.blue'],
  COMPLETE: ['pass', 'testing.iconPassed'],
  ERROR: ['error', 'testing.iconFailed'],
  CANCELED: ['circle-slash', 'disabledForeground'],
  UNKNOWN: ['question', 'problemsWarningIcon.foreground'],
};

/** The tree item of a job; a click shows its log. */
export function jobItem(node: JobNode, job: Job, progress = ''): vscode.TreeItem {
  const item = new vscode.TreeItem(job.details.id);
  item.id = `job:${node.id}`;
  const [icon, color] = ICONS[job.state];
  item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
  const words =
    job.trouble === undefined
      ? [stateWords(job), ...(job.state === 'RUNNING' && progress !== '' ? [progress] : [])].join(' · ')
      : vscode.l10n.t('reconnecting');
  const lasted = job.state === 'RUNNING' ? ` · ${duration(Date.now() - job.details.submittedAt)}` : '';
  item.description = `${words}${lasted}${job.foreign ? ` · ${vscode.l10n.t('by others')}` : ''}`;
  const live = job.state === 'PENDING' || job.state === 'RUNNING' || job.state === 'UNKNOWN';
  item.contextValue = job.foreign
    ? `brev.foreignJob${live && job.details.platform === 'brev' ? '+live' : ''}`
    : `brev.job${live ? '+live' : '+ended'}`;
  item.accessibilityInformation = {
    label: vscode.l10n.t(
      'Job {0}, {1}, on {2}',
      job.details.id,
      words,
      job.details.instanceName || platformWords(job.details.platform).name,
    ),
  };
  if (job.foreign) {
    return item;
  }
  item.command = { title: vscode.l10n.t('Show Job Log'), command: 'brev.showJobLog', arguments: [node] };
  return item;
}

/** The hover of a job. */
export function jobTooltip(job: Job, route?: string, silence = ''): vscode.MarkdownString {
  const { details } = job;
  const text = new vscode.MarkdownString('', true);
  const row = (name: string, value: string): void => {
    text.appendMarkdown('**');
    text.appendText(name);
    text.appendMarkdown('** ');
    text.appendText(value);
    text.appendMarkdown('  \n');
  };
  row(vscode.l10n.t('Job'), details.id);
  row(vscode.l10n.t('State'), `${stateWords(job)}${job.note === '' ? '' : ` – ${job.note}`}`);
  const { name, place } = platformWords(details.platform);
  row(vscode.l10n.t('Platform'), name);
  if (details.instanceName !== '') {
    row(place, details.instanceName);
  }
  if (details.specUri !== '') {
    row(vscode.l10n.t('Spec'), details.specUri);
  }
  if (details.image !== '') {
    row(vscode.l10n.t('Image'), details.image);
  }
  const { placement } = details;
  if (placement !== undefined) {
    row(vscode.l10n.t('Nodes'), `${placement.nodes} × ${placement.resourceShape}`);
    for (const { uri } of placement.outputs ?? []) {
      row(vscode.l10n.t('Results'), uri);
    }
  } else {
    row(vscode.l10n.t('GPUs'), details.gpus === 'all' ? vscode.l10n.t('all') : String(details.gpus));
  }
  if (job.foreign) {
    row(
      vscode.l10n.t('Submitted by'),
      details.instanceId === ''
        ? vscode.l10n.t('somebody else: only its record is known here')
        : vscode.l10n.t('a newer version of this extension, which knows that platform'),
    );
  }
  row(vscode.l10n.t('Submitted'), new Date(details.submittedAt).toLocaleString());
  if (route !== undefined) {
    row(vscode.l10n.t('Connected by'), route);
  }
  if (silence !== '') {
    text.appendMarkdown('\n\n$(warning) ');
    text.appendText(
      vscode.l10n.t(
        '{0}. That is no failure: a job that computes and one that hangs look the same from here.',
        silence,
      ),
    );
  }
  if (job.trouble !== undefined) {
    text.appendMarkdown('\n\n$(debug-disconnect) ');
    text.appendText(
      vscode.l10n.t('The log cannot be followed right now; the job itself may be fine. {0}', job.trouble),
    );
  }
  return text;
}

function stateWords(job: Job): string {
  switch (job.state) {
    case 'PENDING':
      return job.note === 'pull' ? vscode.l10n.t('pulling the image') : vscode.l10n.t('starting');
    case 'RUNNING':
      return vscode.l10n.t('running');
    case 'COMPLETE':
      return vscode.l10n.t('complete');
    case 'ERROR':
      return vscode.l10n.t('error');
    case 'CANCELED':
      return vscode.l10n.t('cancelled');
    case 'UNKNOWN':
      return vscode.l10n.t('unknown');
  }
}
