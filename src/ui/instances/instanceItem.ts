import * as vscode from 'vscode';
import { type Instance, type InstanceStatus, isOn } from '../../instances/instance.ts';
import type { Offer } from '../../instances/offers.ts';
import type { ReadinessState } from '../../instances/readinessWatch.ts';
import { doubts } from '../../instances/timeline.ts';
import { formatCost, formatGpu } from '../price.ts';
import type { InstanceNode } from './nodes.ts';

/** What is shown of an instance beside its row. */
export interface InstanceFacts {
  readonly instance: Instance;
  readonly offer: Offer | undefined;
  readonly readiness: ReadinessState | undefined;
  readonly hasJobs: boolean;
  readonly stale: boolean;
}

/** The tree item of an instance: stable id and label, state in icon and description. */
export function instanceItem(node: InstanceNode, facts: InstanceFacts): vscode.TreeItem {
  const { instance, offer, hasJobs } = facts;
  const item = new vscode.TreeItem(
    instance.name === '' ? vscode.l10n.t('(unnamed)') : instance.name,
    hasJobs ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.None,
  );
  item.id = `instance:${node.id}`;
  const state = stateWords(facts);
  const gpu = formatGpu(instance, offer);
  const cost = formatCost(instance, offer);
  item.description = [state, cost, gpu].filter((part) => part !== '').join(' · ');
  item.iconPath = icon(facts);
  item.contextValue = `brev.instance${isOn(instance) ? '+on' : ''}+${instance.status}`;
  item.accessibilityInformation = {
    label: vscode.l10n.t('Instance {0}, {1}, {2}, {3}', instance.name, state, gpu, cost),
  };
  return item;
}

/** The state in words; what isn't known is said as the CLI says it. */
export function stateWords({ instance, readiness, stale }: InstanceFacts): string {
  const words = readinessWords(instance, readiness) ?? statusWords(instance);
  return stale ? vscode.l10n.t('{0} (stale)', words) : words;
}

function statusWords(instance: Instance): string {
  switch (instance.status) {
    case 'running':
      return vscode.l10n.t('running');
    case 'unhealthy':
      return vscode.l10n.t('running, unhealthy');
    case 'starting':
      return vscode.l10n.t('starting');
    case 'deploying':
      return vscode.l10n.t('deploying');
    case 'stopping':
      return vscode.l10n.t('stopping');
    case 'stopped':
      return vscode.l10n.t('stopped');
    case 'deleting':
      return vscode.l10n.t('being deleted');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'unknown':
      return instance.reported.status === '' ? vscode.l10n.t('state unknown') : instance.reported.status;
  }
}

function readinessWords(instance: Instance, readiness: ReadinessState | undefined): string | undefined {
  if (!isOn(instance) || readiness === undefined) {
    return undefined;
  }
  if (readiness.kind === 'waiting') {
    return vscode.l10n.t('running, not ready yet');
  }
  switch (readiness.readiness.kind) {
    case 'ready':
      if (instance.status === 'unhealthy') {
        return undefined;
      }
      return doubts(instance).includes('buildUnfinished')
        ? vscode.l10n.t('ready, still setting up')
        : vscode.l10n.t('ready');
    case 'notReady':
      return vscode.l10n.t('running, not reachable');
    case 'cancelled':
      return undefined;
  }
}

const ICONS: Readonly<Record<InstanceStatus, readonly [string, string | undefined]>> = {
  running: ['vm-running', 'charts.green'],
  unhealthy: ['warning', 'problemsWarningIcon.foreground'],
  starting: ['loading~spin', 'charts.yellow'],
  deploying: ['loading~spin', 'charts.yellow'],
  stopping: ['loading~spin', 'charts.orange'],
  stopped: ['vm-outline', 'disabledForeground'],
  deleting: ['loading~spin', 'charts.red'],
  failed: ['error', 'problemsErrorIcon.foreground'],
  unknown: ['question', undefined],
};

function icon({ instance, readiness }: InstanceFacts): vscode.ThemeIcon {
  if (isOn(instance) && readiness?.kind === 'waiting') {
    return themed('sync~spin', 'charts.yellow');
  }
  if (isOn(instance) && readiness?.kind === 'ended' && readiness.readiness.kind === 'notReady') {
    return themed('debug-disconnect', 'problemsWarningIcon.foreground');
  }
  return themed(...ICONS[instance.status]);
}

function themed(id: string, color: string | undefined): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}
