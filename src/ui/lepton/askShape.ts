import * as vscode from 'vscode';
import { type LeptonOffer, leptonOffers } from '../../platforms/lepton/capacity.ts';
import type { LeptonClient } from '../../platforms/lepton/client.ts';
import type { Log } from '../log.ts';
import { formatPrice } from '../price.ts';
import { type Choice, pickOne } from '../quickInput.ts';
import { showFailure } from '../showFailure.ts';

/** A resource shape in a node group; what can take a job now comes first. */
export async function askShape(client: LeptonClient, log: Log): Promise<LeptonOffer | undefined> {
  const abort = new AbortController();
  const picked = await pickOne<LeptonOffer>(
    {
      title: vscode.l10n.t('Resource Shape on Lepton'),
      placeholder: vscode.l10n.t('What each node gets. Type to search by GPU or node group'),
      back: true,
    },
    async () => {
      const offers = await leptonOffers(client, abort.signal);
      if (offers.kind !== 'ok') {
        if (offers.kind === 'failed') {
          void showFailure(offers.failure, log);
        }
        return undefined;
      }
      if (offers.value.length === 0) {
        void vscode.window.showWarningMessage(
          vscode.l10n.t('No node group of the workspace {0} has a shape for jobs.', client.workspaceId),
        );
        return undefined;
      }
      return [...offers.value]
        .sort((a, b) => rank(b) - rank(a) || b.shape.accelerators - a.shape.accelerators)
        .map(choice);
    },
  );
  abort.abort();
  return picked.kind === 'picked' ? picked.value : undefined;
}

function rank({ nodes, shape }: LeptonOffer): number {
  return (shape.accelerators > 0 ? 2 : 0) + (nodes?.free === 0 ? 0 : 1);
}

function choice(offer: LeptonOffer): Choice<LeptonOffer> {
  const { nodeGroup, shape } = offer;
  return {
    label: shape.id,
    description: [gpuWords(offer), availability(offer)].join(' · '),
    detail: [
      vscode.l10n.t('node group {0}', nodeGroup),
      ...(shape.cores === undefined ? [] : [vscode.l10n.t('{0} CPUs', shape.cores)]),
      ...(shape.memoryMib === undefined
        ? []
        : [vscode.l10n.t('{0} GiB memory', Math.round(shape.memoryMib / 1_024))]),
      formatPrice(undefined),
    ].join(' · '),
    iconPath: new vscode.ThemeIcon(offer.nodes?.free === 0 ? 'watch' : 'server'),
    value: offer,
  };
}

function gpuWords({ shape }: LeptonOffer): string {
  return shape.accelerators === 0
    ? vscode.l10n.t('no GPU')
    : `${shape.accelerators} × ${shape.accelerator ?? 'GPU'}`;
}

function availability({ nodes }: LeptonOffer): string {
  if (nodes === undefined) {
    return vscode.l10n.t('availability unknown');
  }
  return nodes.free === undefined
    ? vscode.l10n.t('how many nodes are free is unknown')
    : vscode.l10n.t('{0} of {1} nodes free', nodes.free, nodes.all);
}
