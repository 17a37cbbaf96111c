import * as vscode from 'vscode';
import { type Instance, isOn } from '../../instances/instance.ts';
import { credentialNames } from '../../preflight/credentials.ts';
import type { LaunchContext } from '../../preflight/launch/context.ts';
import { systemClock } from '../../process/clock.ts';
import type { RunSpec } from '../../tao/runSpec.ts';
import { clusterNeeds } from '../../tao/spec/clusterNeeds.ts';
import { guessRun } from '../../tao/spec/guessRun.ts';
import { ok, then } from '../../values/outcome.ts';
import { runOnLepton } from '../lepton/runOnLepton.ts';
import type { Parts } from '../parts.ts';
import { showFailure } from '../showFailure.ts';
import { chooseTarget } from './chooseTarget.ts';
import { confirmRunning } from './confirmRunning.ts';
import { passLaunchChecks } from './launchList.ts';
import { reviewRun } from './reviewRun.ts';
import { routeOf } from './runRoute.ts';
import { submitJob } from './submitJob.ts';

/** Bigger than any spec: a data file that was right-clicked by mistake isn't uploaded. */
const MAX_SPEC_BYTES = 2 * 1024 * 1024;

/** Runs a spec file: from both ends, the same steps. */
export async function runSpecFile(
  parts: Parts,
  from: { readonly uri: vscode.Uri; readonly target?: Instance | 'lepton' },
): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('Trust this workspace before you run files from it.'),
    );
    return;
  }
  const content = await readSpec(parts, from.uri);
  if (content === undefined) {
    return;
  }
  const name = from.uri.path.split('/').at(-1) ?? 'spec.yaml';
  const chosen =
    from.target ??
    (await chooseTarget(
      parts,
      vscode.l10n.t('Run {0} on', name),
      (await parts.specs()).choices.of(from.uri).instanceId,
    ));
  if (chosen === 'lepton') {
    await runOnLepton(parts, { uri: from.uri, content, name });
    return;
  }
  if (chosen === undefined) {
    return;
  }
  const guess = await guessRun(content, vscode.workspace.asRelativePath(from.uri));
  const { nodes } = await clusterNeeds(content, guess.action);
  if (nodes > 1) {
    if (await goesToLepton(nodes)) {
      await runOnLepton(parts, { uri: from.uri, content, name });
    }
    return;
  }
  const instance = await confirmRunning(parts, chosen);
  if (instance === undefined) {
    return;
  }
  const review = await reviewRun(parts, from.uri, instance, guess);
  if (review === undefined) {
    return;
  }
  const spec: RunSpec = { ...review, specFile: { name, content } };
  if (await passLaunchChecks(parts, from.uri, () => launchContext(parts, instance, spec))) {
    await submitJob(parts, instance, {
      platform: (await routeOf(parts, from.uri)) ?? 'brev',
      work: { kind: 'spec', spec },
      specUri: from.uri.toString(),
    });
  }
}

/** A run for several nodes would wait on one instance for the others for ever. */
async function goesToLepton(nodes: number): Promise<boolean> {
  const go = vscode.l10n.t('Run on Lepton…');
  const answer = await vscode.window.showErrorMessage(
    vscode.l10n.t(
      'The spec is for {0} nodes, and Brev runs a job on one instance. NVIDIA DGX Cloud Lepton runs it on several.',
      nodes,
    ),
    go,
  );
  return answer === go;
}

async function launchContext(parts: Parts, instance: Instance, run: RunSpec): Promise<LaunchContext> {
  const found = await Promise.all(
    credentialNames.map(async (name) => [name, await parts.credentials.find(name)] as const),
  );
  const now = parts.store.find(instance.id) ?? instance;
  return {
    run,
    instance: { name: now.name, on: isOn(now), state: now.reported.status },
    credentials: new Map(
      found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    ),
    offer: parts.offers.known(now.type),
    catalogue: (await (await parts.specs()).catalogue()).catalogue,
    envFilePath: parts.credentials.envFilePath,
    listWorks: async () => then(await parts.store.refresh(), () => ok(undefined)),
    shell: async () => (await parts.shells()).shell({ instanceId: instance.id, instanceName: instance.name }),
    clock: systemClock,
  };
}

/** The spec as it is in the editor, saved or not: what the user sees is what runs. */
async function readSpec(parts: Parts, uri: vscode.Uri): Promise<Uint8Array | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty === true) {
    await open.save();
  }
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size <= MAX_SPEC_BYTES) {
      return await vscode.workspace.fs.readFile(uri);
    }
    void vscode.window.showErrorMessage(vscode.l10n.t('{0} is too large for a spec file.', uri.path));
  } catch (error) {
    await showFailure(
      {
        kind: 'specUnreadable',
        message: { template: 'The spec file cannot be read: {0}', args: [String(error)] },
        retrySafe: true,
      },
      parts.log,
    );
  }
  return undefined;
}
