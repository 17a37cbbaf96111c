import * as vscode from 'vscode';
import type { LaunchableRequest } from '../../brev/create.ts';
import { type Creation, createInstance } from '../../instances/creation.ts';
import type { Instance } from '../../instances/instance.ts';
import type { Failure } from '../../values/failure.ts';
import { cancellable } from '../cancellable.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import { showFailure } from '../showFailure.ts';
import type { CreateWish } from './createQuestions.ts';

/** What may be created: of a chosen type, or whatever a launchable describes. */
type InstanceWish =
  | CreateWish
  | { readonly request: LaunchableRequest; readonly lifetime: CreateWish['lifetime'] };

/**
 * Creates what the user wished for and says what exists afterwards, whatever the call itself said. True when there is an
 * instance.
 */
export async function createAndReport(parts: Parts, wish: InstanceWish): Promise<boolean> {
  const { request } = wish;
  const creation = await cancellable(
    vscode.l10n.t('Creating {0}', request.name),
    async (signal, progress) => {
      signal.addEventListener('abort', () =>
        progress.report({ message: vscode.l10n.t('cancelled; looking what exists…') }),
      );
      return createInstance(parts.brev, parts.store, request, await parts.credentials.placement(), signal);
    },
  );
  return report(parts, wish, creation);
}

async function report(parts: Parts, wish: InstanceWish, creation: Creation): Promise<boolean> {
  switch (creation.kind) {
    case 'created':
      await remember(parts, wish, creation.instance);
      // its progress stands in the status bar from here on
      parts.readiness.watch(creation.instance.id, true);
      return true;
    case 'createdAnyway':
      await remember(parts, wish, creation.instance);
      parts.readiness.watch(creation.instance.id, creation.because !== 'cancelled');
      await offerToKeep(creation.instance, creation.because);
      return true;
    case 'notCreated':
      if (creation.because === 'cancelled') {
        void vscode.window.showInformationMessage(vscode.l10n.t('Cancelled. No instance was created.'));
        return false;
      }
      return offerNextStep(parts, wish, creation.because);
    case 'unknown':
      await showFailure(creation.because, parts.log);
      return false;
  }
}

/** Keeps what a later question needs: the rest of the chain, and whether the instance is ephemeral. */
async function remember(parts: Parts, wish: InstanceWish, instance: Instance): Promise<void> {
  await parts.wishes.remember(instance.id, {
    lifetime: wish.lifetime,
    otherTypes:
      'types' in wish.request ? wish.request.types.filter(({ type }) => type !== instance.type) : [],
  });
}

async function offerToKeep(instance: Instance, because: Failure | 'cancelled'): Promise<void> {
  const keep = vscode.l10n.t('Keep');
  const remove = vscode.l10n.t('Delete…');
  const chosen = await vscode.window.showWarningMessage(
    because === 'cancelled'
      ? vscode.l10n.t(
          'You cancelled, but {0} exists, and is billing. It is unverified until a command runs on it.',
          instance.name,
        )
      : vscode.l10n.t(
          '{0} exists, and is billing, although its creation seemed to fail: {1} It is unverified until a command runs on it.',
          instance.name,
          localize(because.message),
        ),
    keep,
    remove,
  );
  if (chosen === remove) {
    await vscode.commands.executeCommand('brev.deleteInstance', { kind: 'instance', id: instance.id });
  }
}

/** Nothing was created, as the list confirms: so the same wish may be tried again once its obstacle is gone. */
async function offerNextStep(parts: Parts, wish: InstanceWish, failure: Failure): Promise<boolean> {
  switch (failure.kind) {
    case 'placementNeeded':
      return (
        (await vscode.commands.executeCommand<boolean>('brev.choosePlacement', { because: failure })) ===
          true && createAndReport(parts, wish)
      );
    case 'nameBeingDeleted':
      return offerToWait(parts, wish, failure);
    default:
      await showFailure(failure, parts.log);
      return false;
  }
}

async function offerToWait(parts: Parts, wish: InstanceWish, failure: Failure): Promise<boolean> {
  const wait = vscode.l10n.t('Wait, Then Create');
  if ((await vscode.window.showWarningMessage(localize(failure.message), wait)) !== wait) {
    return false;
  }
  const { name } = wish.request;
  const gone = await cancellable(vscode.l10n.t('Waiting until the previous {0} is deleted', name), (signal) =>
    parts.store.whenNameIsFree(name, signal),
  );
  return gone && createAndReport(parts, wish);
}
