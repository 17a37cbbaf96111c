import * as vscode from 'vscode';
import { listOrganisations, type OrganisationRow, setOrganisation } from '../../brev/organisations.ts';
import { pickOne } from '../quickInput.ts';
import { showFailure } from '../showFailure.ts';
import type { Command } from './command.ts';

/** Makes another organisation the active one; what belonged to the old one leaves the view. */
export const switchOrganisation: Command = {
  id: 'brev.switchOrganisation',
  run: async (parts) => {
    const picked = await pickOne<OrganisationRow>(
      { title: vscode.l10n.t('Switch Organisation') },
      async () => {
        const dialect = await parts.brev.dialect();
        const listed =
          dialect.kind === 'ok' ? await parts.brev.execute(listOrganisations(dialect.value)) : dialect;
        if (listed.kind !== 'ok') {
          if (listed.kind === 'failed') {
            void showFailure(listed.failure, parts.log);
          }
          return undefined;
        }
        return listed.value.map((organisation) => ({
          label: organisation.name,
          description: organisation.is_active ? vscode.l10n.t('active') : organisation.id,
          value: organisation,
        }));
      },
    );
    if (picked.kind !== 'picked' || picked.value.is_active) {
      return;
    }
    const outcome = await parts.brev.execute(setOrganisation(picked.value.name));
    if (outcome.kind === 'failed') {
      await showFailure(outcome.failure, parts.log);
      return;
    }
    parts.store.forget();
    await parts.store.refresh();
  },
};
