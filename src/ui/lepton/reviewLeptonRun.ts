import * as vscode from 'vscode';
import type { LeptonClient } from '../../platforms/lepton/client.ts';
import { parseS3Path } from '../../storage/s3Path.ts';
import { type ClusterNeeds, clusterNeeds } from '../../tao/spec/clusterNeeds.ts';
import type { SpecGuess } from '../../tao/specGuess.ts';
import { changeLine, draftOf, type Run, type RunLine, runLines } from '../commands/reviewRun.ts';
import type { Parts } from '../parts.ts';
import { formatPrice } from '../price.ts';
import { askText, type Choice, pickOne } from '../quickInput.ts';
import type { LeptonChoice } from '../specs/runChoices.ts';
import { askShape } from './askShape.ts';

/** What is to be run on Lepton, complete. */
export interface LeptonRun {
  readonly run: Run;
  readonly needs: ClusterNeeds;
  readonly choice: LeptonChoice & { readonly resourceShape: string };
  /** The folder in S3 for the results; undefined where the run itself writes there. */
  readonly output: string | undefined;
  readonly nodes: number;
}

type LeptonLine =
  | { readonly kind: 'run' }
  | { readonly kind: 'line'; readonly line: RunLine }
  | { readonly kind: 'shape' | 'nodes' | 'output' | 'pullSecret' }
  | { readonly kind: 'input'; readonly path: string };

/** Shows the whole run in one list: Enter runs it, any other line changes it. What is changed is remembered for the file. */
export async function reviewLeptonRun(
  parts: Parts,
  client: LeptonClient,
  uri: vscode.Uri,
  content: Uint8Array,
  guess: SpecGuess,
): Promise<LeptonRun | undefined> {
  const { choices } = await parts.specs();
  const bucket = (await parts.credentials.find('S3_BUCKET_NAME'))?.value;
  for (;;) {
    const draft = await draftOf(parts, uri, guess);
    const needs = await clusterNeeds(content, draft.action);
    const chosen = choices.of(uri).lepton ?? {};
    const nodes = chosen.nodes ?? needs.nodes;
    const output =
      needs.results.kind === 's3'
        ? undefined
        : (chosen.output ?? (bucket === undefined ? undefined : `s3://${bucket}/brev-jobs`));
    const { network } = draft;
    const { resourceShape } = chosen;
    const missing = firstMissing(network, resourceShape, output, needs);
    if (missing !== undefined) {
      if (!(await change(parts, client, uri, missing, { draft, chosen, nodes, output }))) {
        return undefined;
      }
      continue;
    }
    if (network === undefined || resourceShape === undefined) {
      continue;
    }
    const picked = await pickOne<LeptonLine>(
      {
        title: vscode.l10n.t('Run on Lepton ({0})', client.workspaceId),
        placeholder: vscode.l10n.t('Press Enter to run it; pick a line to change it'),
      },
      async () => [
        {
          label: vscode.l10n.t('Run {0} {1}', network, draft.action),
          description: `${nodes} × ${resourceShape} · ${formatPrice(undefined)}`,
          detail: vscode.l10n.t('Lepton tells no prices: what it costs is in your contract or on its pages.'),
          iconPath: new vscode.ThemeIcon('rocket'),
          value: { kind: 'run' },
        },
        { label: vscode.l10n.t('Change'), kind: vscode.QuickPickItemKind.Separator },
        ...lines({ chosen, needs, nodes, output, resourceShape }),
        ...runLines(draft)
          .filter(({ value }) => value !== 'gpus')
          .map(
            ({ value, ...item }): Choice<LeptonLine> => ({
              ...item,
              ...(value === undefined ? {} : { value: { kind: 'line', line: value } }),
            }),
          ),
      ],
    );
    if (picked.kind !== 'picked') {
      return undefined;
    }
    if (picked.value.kind === 'run') {
      await choices.change(uri, { instanceId: client.workspaceId });
      return { run: { ...draft, network }, needs, choice: { ...chosen, resourceShape }, output, nodes };
    }
    await change(parts, client, uri, picked.value, { draft, chosen, nodes, output });
  }
}

function firstMissing(
  network: string | undefined,
  resourceShape: string | undefined,
  output: string | undefined,
  needs: ClusterNeeds,
): LeptonLine | undefined {
  if (network === undefined) {
    return { kind: 'line', line: 'network' };
  }
  if (resourceShape === undefined) {
    return { kind: 'shape' };
  }
  return output === undefined && needs.results.kind === 'container' ? { kind: 'output' } : undefined;
}

function lines(at: {
  readonly chosen: LeptonChoice;
  readonly needs: ClusterNeeds;
  readonly nodes: number;
  readonly output: string | undefined;
  readonly resourceShape: string;
}): readonly Choice<LeptonLine>[] {
  const { chosen, needs, nodes, output, resourceShape } = at;
  return [
    {
      label: vscode.l10n.t('Resource shape'),
      description: [resourceShape, ...(chosen.nodeGroup === undefined ? [] : [chosen.nodeGroup])].join(' · '),
      value: { kind: 'shape' },
    },
    {
      label: vscode.l10n.t('Nodes'),
      description: String(nodes),
      ...(nodes === needs.nodes
        ? {}
        : {
            detail: `$(warning) ${vscode.l10n.t('The spec is for {0}: its num_nodes says how many wait for each other.', needs.nodes)}`,
          }),
      value: { kind: 'nodes' },
    },
    needs.results.kind === 's3'
      ? {
          label: vscode.l10n.t('Results'),
          description: vscode.l10n.t('{0}, written by the run itself', needs.results.uri),
          value: { kind: 'output' },
        }
      : {
          label: vscode.l10n.t('Results to S3'),
          description: vscode.l10n.t('{0} to {1}/<job>', needs.results.path, output ?? ''),
          value: { kind: 'output' },
        },
    ...needs.inputs.map((path): Choice<LeptonLine> => {
      const from = chosen.inputs?.[path];
      return {
        label: vscode.l10n.t('Input {0}', path),
        description:
          from === undefined
            ? `$(warning) ${vscode.l10n.t('only there if the image has it; pick to copy it from S3')}`
            : vscode.l10n.t('copied from {0}', from),
        value: { kind: 'input', path },
      };
    }),
    {
      label: vscode.l10n.t('Registry login'),
      description: chosen.pullSecret ?? vscode.l10n.t('none: the image is pulled without one'),
      value: { kind: 'pullSecret' },
    },
  ];
}

/** False when the user chose nothing. */
async function change(
  parts: Parts,
  client: LeptonClient,
  uri: vscode.Uri,
  line: Exclude<LeptonLine, { kind: 'run' }> | LeptonLine,
  at: {
    readonly draft: Parameters<typeof changeLine>[2];
    readonly chosen: LeptonChoice;
    readonly nodes: number;
    readonly output: string | undefined;
  },
): Promise<boolean> {
  if (line.kind === 'line') {
    return changeLine(parts, uri, at.draft, line.line);
  }
  const chosen = await ask(parts, client, line, at);
  if (chosen === undefined) {
    return false;
  }
  await (await parts.specs()).choices.change(uri, { lepton: { ...at.chosen, ...chosen } });
  return true;
}

async function ask(
  parts: Parts,
  client: LeptonClient,
  line: Exclude<LeptonLine, { kind: 'line' }>,
  at: { readonly chosen: LeptonChoice; readonly nodes: number; readonly output: string | undefined },
): Promise<LeptonChoice | undefined> {
  switch (line.kind) {
    case 'run':
      return undefined;
    case 'shape': {
      const offer = await askShape(client, parts.log);
      return offer === undefined ? undefined : { resourceShape: offer.shape.id, nodeGroup: offer.nodeGroup };
    }
    case 'nodes': {
      const typed = await askText({
        title: vscode.l10n.t('Nodes'),
        prompt: vscode.l10n.t('How many nodes work on it together'),
        back: true,
        value: String(at.nodes),
        validate: (value) =>
          /^[1-9]\d{0,3}$/.test(value.trim()) ? undefined : vscode.l10n.t('Type a number from 1 on.'),
      });
      return typed.kind === 'picked' ? { nodes: Number(typed.value) } : undefined;
    }
    case 'output': {
      const typed = await askS3(
        vscode.l10n.t('Results to S3'),
        vscode.l10n.t(
          'Nothing else outlives a container on Lepton. Each job gets a folder of its own in it.',
        ),
        at.output,
      );
      return typed === undefined || typed === '' ? undefined : { output: typed.replace(/\/+$/, '') };
    }
    case 'input': {
      const typed = await askS3(
        vscode.l10n.t('Input {0}', line.path),
        vscode.l10n.t(
          'Where it is in S3; a folder ends in a slash. Empty: the image has it. It is copied to {0} before the run.',
          line.path,
        ),
        at.chosen.inputs?.[line.path],
      );
      if (typed === undefined) {
        return undefined;
      }
      const { [line.path]: _, ...others } = at.chosen.inputs ?? {};
      return { inputs: typed === '' ? others : { ...others, [line.path]: typed } };
    }
    case 'pullSecret': {
      const typed = await askText({
        title: vscode.l10n.t('Registry login'),
        prompt: vscode.l10n.t('The name of a registry login that the workspace keeps; empty for none'),
        back: true,
        value: at.chosen.pullSecret ?? '',
        validate: (value) =>
          /^\S*$/.test(value.trim()) ? undefined : vscode.l10n.t('A name without blanks.'),
      });
      return typed.kind === 'picked' ? { pullSecret: typed.value.trim() || undefined } : undefined;
    }
  }
}

async function askS3(title: string, prompt: string, value: string | undefined): Promise<string | undefined> {
  const typed = await askText({
    title,
    prompt,
    placeholder: 's3://bucket/folder',
    back: true,
    value: value ?? '',
    validate: (text) =>
      text.trim() === '' || parseS3Path(text.trim(), { wholeBucket: true }).kind === 'path'
        ? undefined
        : vscode.l10n.t('Type a path in S3, such as s3://bucket/folder.'),
  });
  return typed.kind === 'picked' ? typed.value.trim() : undefined;
}
