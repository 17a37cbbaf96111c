import * as vscode from 'vscode';
import type { Instance } from '../../instances/instance.ts';
import { actionsOf, networks } from '../../tao/networks.ts';
import type { RunSpec } from '../../tao/runSpec.ts';
import type { Parts } from '../parts.ts';
import { formatCost } from '../price.ts';
import { askText, pickOne } from '../quickInput.ts';

/** What is to be run, as far as it is known. */
interface Draft {
  readonly network: string | undefined;
  readonly action: string;
  readonly image: string;
  readonly gpus: RunSpec['gpus'];
}

type Run = Omit<RunSpec, 'specFile'>;
type Line = 'run' | 'network' | 'action' | 'image' | 'gpus';

/**
 * Shows the whole run in one list: Enter runs it, any other line changes it. The choices are remembered for the file.
 */
export async function reviewRun(
  parts: Parts,
  uri: vscode.Uri,
  instance: Instance,
  guess: Draft,
): Promise<Run | undefined> {
  const key = `run:${uri.toString()}`;
  let draft: Draft = { ...guess, ...parts.memory.get<Partial<Draft>>(key, {}) };
  for (;;) {
    const { network } = draft;
    if (network === undefined) {
      const chosen = await askNetwork(undefined);
      if (chosen === undefined) {
        return undefined;
      }
      draft = { ...draft, network: chosen };
      continue;
    }
    const run: Run = { ...draft, network };
    const line = await pickOne<Line>(
      {
        title: vscode.l10n.t('Run on {0}', instance.name),
        placeholder: vscode.l10n.t('Enter runs it; pick a line to change it'),
      },
      async () => [
        {
          label: vscode.l10n.t('Run {0} {1}', run.network, run.action),
          description: `${instance.name} · ${formatCost(instance, parts.offers.known(instance.type))}`,
          iconPath: new vscode.ThemeIcon('rocket'),
          value: 'run',
        },
        { label: vscode.l10n.t('Change'), kind: vscode.QuickPickItemKind.Separator },
        { label: vscode.l10n.t('Model'), description: run.network, value: 'network' },
        { label: vscode.l10n.t('Action'), description: run.action, value: 'action' },
        { label: vscode.l10n.t('Image'), description: run.image, value: 'image' },
        { label: vscode.l10n.t('GPUs'), description: gpuWords(run.gpus), value: 'gpus' },
      ],
    );
    if (line.kind !== 'picked') {
      return undefined;
    }
    if (line.value === 'run') {
      await parts.memory.update(key, run);
      return run;
    }
    draft = await change(run, line.value);
  }
}

async function change(run: Run, line: Exclude<Line, 'run'>): Promise<Draft> {
  switch (line) {
    case 'network': {
      const network = await askNetwork(run.network);
      return network === undefined ? run : { ...run, network };
    }
    case 'action': {
      const picked = await pickOne<string>(
        { title: vscode.l10n.t('Action'), back: true, active: run.action },
        async () => actionsOf(run.network).map((action) => ({ label: action, value: action })),
      );
      return picked.kind === 'picked' ? { ...run, action: picked.value } : run;
    }
    case 'image': {
      const typed = await askText({
        title: vscode.l10n.t('Image'),
        prompt: vscode.l10n.t('The container image, with its tag'),
        back: true,
        value: run.image,
        validate: (value) =>
          /^[^\s-][^\s]*$/.test(value.trim())
            ? undefined
            : vscode.l10n.t('Type an image, such as nvcr.io/…:tag.'),
      });
      return typed.kind === 'picked' ? { ...run, image: typed.value.trim() } : run;
    }
    case 'gpus': {
      const picked = await pickOne<RunSpec['gpus']>(
        { title: vscode.l10n.t('GPUs'), back: true, active: run.gpus },
        async () => (['all', 1, 2, 4, 8] as const).map((gpus) => ({ label: gpuWords(gpus), value: gpus })),
      );
      return picked.kind === 'picked' ? { ...run, gpus: picked.value } : run;
    }
  }
}

async function askNetwork(active: string | undefined): Promise<string | undefined> {
  const picked = await pickOne<string>(
    {
      title: vscode.l10n.t('Model'),
      placeholder: vscode.l10n.t('Which TAO network is this spec for?'),
      ...(active === undefined ? {} : { active }),
    },
    async () => Object.keys(networks).map((network) => ({ label: network, value: network })),
  );
  return picked.kind === 'picked' ? picked.value : undefined;
}

function gpuWords(gpus: RunSpec['gpus']): string {
  return gpus === 'all' ? vscode.l10n.t('all of the instance') : String(gpus);
}
