import * as vscode from 'vscode';
import { pythonAt } from '../../platforms/brevSdk/sdkPlace.ts';
import type { PlatformId } from '../../platforms/platform.ts';
import type { Parts } from '../parts.ts';
import { pickOne } from '../quickInput.ts';

/** How a job goes to an instance. */
export type RunRoute = Extract<PlatformId, 'brev' | 'brev-sdk'>;

/** The way that the user has chosen for this file; undefined where there is only one: the TAO SDK is not set up. */
export async function routeOf(parts: Parts, uri: vscode.Uri): Promise<RunRoute | undefined> {
  return pythonAt(parts.sdkPlace()) === undefined
    ? undefined
    : ((await parts.specs()).choices.of(uri).route ?? 'brev');
}

export function routeWords(route: RunRoute): string {
  return route === 'brev' ? vscode.l10n.t('the Brev CLI') : vscode.l10n.t('the TAO SDK');
}

/** Asks for the way and remembers it for the file. */
export async function askRoute(parts: Parts, uri: vscode.Uri, active: RunRoute): Promise<void> {
  const picked = await pickOne<RunRoute>(
    { title: vscode.l10n.t('Submit through'), back: true, active },
    async () => [
      {
        label: routeWords('brev'),
        detail: vscode.l10n.t('The usual way; nothing else is needed.'),
        value: 'brev',
      },
      {
        label: routeWords('brev-sdk'),
        detail: vscode.l10n.t('Scripts that use the SDK see the job too. Keys stay off its command lines.'),
        value: 'brev-sdk',
      },
    ],
  );
  if (picked.kind === 'picked') {
    await (await parts.specs()).choices.change(uri, { route: picked.value });
  }
}
