import * as vscode from 'vscode';
import type { Instance } from '../../instances/instance.ts';
import { findAction, findModel, imageOf } from '../../tao/catalogue/catalogue.ts';
import { actionsOf, networks } from '../../tao/networks.ts';
import type { RunSpec } from '../../tao/runSpec.ts';
import type { SpecGuess } from '../../tao/specGuess.ts';
import type { Parts } from '../parts.ts';
import { formatCost } from '../price.ts';
import { askText, type Choice, pickOne } from '../quickInput.ts';
import { settings } from '../settings.ts';
import type { RunChoice } from '../specs/runChoices.ts';
import { askRoute, routeOf, routeWords } from './runRoute.ts';

/** What is to be run, as far as it is known. */
export interface Draft {
  readonly network: string | undefined;
  readonly action: string;
  readonly image: string;
  readonly gpus: RunSpec['gpus'];
}

export type Run = Omit<RunSpec, 'specFile'>;
export type RunLine = 'network' | 'action' | 'image' | 'gpus';

/**
 * Shows the whole run in one list: Enter runs it, any other line changes it. What is changed is remembered for the file.
 */
export async function reviewRun(
  parts: Parts,
  uri: vscode.Uri,
  instance: Instance,
  guess: SpecGuess,
): Promise<Run | undefined> {
  for (;;) {
    const draft = await draftOf(parts, uri, guess);
    const { network } = draft;
    if (network === undefined) {
      if (!(await changeLine(parts, uri, draft, 'network'))) {
        return undefined;
      }
      continue;
    }
    const run: Run = { ...draft, network };
    const route = await routeOf(parts, uri);
    const line = await pickOne<RunLine | 'run' | 'route'>(
      {
        title: vscode.l10n.t('Run on {0}', instance.name),
        placeholder: vscode.l10n.t('Press Enter to run it; pick a line to change it'),
      },
      async () => [
        {
          label: vscode.l10n.t('Run {0} {1}', run.network, run.action),
          description: `${instance.name} · ${formatCost(instance, parts.offers.known(instance.type))}`,
          iconPath: new vscode.ThemeIcon('rocket'),
          value: 'run',
        },
        { label: vscode.l10n.t('Change'), kind: vscode.QuickPickItemKind.Separator },
        ...runLines(draft),
        ...(route === undefined
          ? []
          : [
              {
                label: vscode.l10n.t('Through'),
                description: routeWords(route),
                value: 'route' as const,
              },
            ]),
      ],
    );
    if (line.kind !== 'picked') {
      return undefined;
    }
    if (line.value === 'run') {
      await (await parts.specs()).choices.change(uri, { instanceId: instance.id });
      return run;
    }
    if (line.value === 'route') {
      await askRoute(parts, uri, route ?? 'brev');
    } else {
      await changeLine(parts, uri, draft, line.value);
    }
  }
}

/** Lets the user change what a file is taken for, without running it. */
export async function changeRun(parts: Parts, uri: vscode.Uri, guess: SpecGuess): Promise<void> {
  for (;;) {
    const draft = await draftOf(parts, uri, guess);
    const line = await pickOne<RunLine>(
      {
        title: vscode.l10n.t('How to Run {0}', vscode.workspace.asRelativePath(uri)),
        placeholder: vscode.l10n.t('Pick a line to change it; it is remembered for this file'),
      },
      async () => runLines(draft),
    );
    if (line.kind !== 'picked') {
      return;
    }
    await changeLine(parts, uri, draft, line.value);
  }
}

/** The guesses, and over them what the user has chosen for this file. */
export async function draftOf(parts: Parts, uri: vscode.Uri, guess: SpecGuess): Promise<Draft> {
  const chosen = (await parts.specs()).choices.of(uri);
  const network = chosen.network ?? guess.network;
  const action = chosen.action ?? guess.action;
  return {
    network,
    action,
    image:
      chosen.image ??
      settings.ownTaoImage(uri) ??
      (await usualImage(parts, network, action)) ??
      settings.taoImage(uri),
    gpus: chosen.gpus ?? 'all',
  };
}

/** Most actions run in one image, some in another, such as the one that builds engines. */
async function usualImage(
  parts: Parts,
  network: string | undefined,
  action: string,
): Promise<string | undefined> {
  const { catalogue } = await (await parts.specs()).catalogue();
  const model = network === undefined ? undefined : findModel(catalogue, network);
  const known = model === undefined ? undefined : findAction(model, action);
  return known === undefined ? undefined : imageOf(catalogue, known);
}

export function runLines({ network, action, image, gpus }: Draft): readonly Choice<RunLine>[] {
  return [
    {
      label: vscode.l10n.t('Model'),
      description: network ?? vscode.l10n.t('not known: choose it'),
      value: 'network',
    },
    { label: vscode.l10n.t('Action'), description: action, value: 'action' },
    { label: vscode.l10n.t('Image'), description: image, value: 'image' },
    { label: vscode.l10n.t('GPUs'), description: gpuWords(gpus), value: 'gpus' },
  ];
}

/** False when the user chose nothing. */
export async function changeLine(
  parts: Parts,
  uri: vscode.Uri,
  draft: Draft,
  line: RunLine,
): Promise<boolean> {
  const chosen = await ask(draft, line);
  if (chosen === undefined) {
    return false;
  }
  await (await parts.specs()).choices.change(uri, chosen);
  return true;
}

async function ask(draft: Draft, line: RunLine): Promise<RunChoice | undefined> {
  switch (line) {
    case 'network': {
      const network = await askNetwork(draft.network);
      return network === undefined ? undefined : { network };
    }
    case 'action': {
      const picked = await pickOne<string>(
        { title: vscode.l10n.t('Action'), back: true, active: draft.action },
        async () => actionsOf(draft.network ?? '').map((action) => ({ label: action, value: action })),
      );
      return picked.kind === 'picked' ? { action: picked.value } : undefined;
    }
    case 'image': {
      const typed = await askText({
        title: vscode.l10n.t('Image'),
        prompt: vscode.l10n.t('The container image, with its tag'),
        back: true,
        value: draft.image,
        validate: (value) =>
          /^[^\s-][^\s]*$/.test(value.trim())
            ? undefined
            : vscode.l10n.t('Type an image, such as nvcr.io/…:tag.'),
      });
      return typed.kind === 'picked' ? { image: typed.value.trim() } : undefined;
    }
    case 'gpus': {
      const picked = await pickOne<RunSpec['gpus']>(
        { title: vscode.l10n.t('GPUs'), back: true, active: draft.gpus },
        async () =>
          (['all', 1, 2, 3, 4, 5, 6, 7, 8] as const).map((gpus) => ({ label: gpuWords(gpus), value: gpus })),
      );
      return picked.kind === 'picked' ? { gpus: picked.value } : undefined;
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
