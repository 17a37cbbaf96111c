import { builtInCatalogue } from './catalogue/builtIn.ts';
import type { CatalogueAction } from './catalogue/catalogue.ts';

const COMMON = ['train', 'evaluate', 'inference', 'export'] as const;

/**
 * The networks that TAO Toolkit trains, by the name of their command, and what each can do. A name that isn't here may
 * still be run: the user types it.
 */
export const networks: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...new Set(builtInCatalogue.models.map(({ network }) => network))].map((network) => [
    network,
    [
      ...new Set(
        builtInCatalogue.models
          .filter((model) => model.network === network)
          .flatMap(({ actions }) => actions.filter(isOfProgram).map(({ name }) => name)),
      ),
    ],
  ]),
);

/** Another program's action, or one that only the spec tells from another, isn't chosen by its name. */
function isOfProgram({ name, command }: CatalogueAction): boolean {
  return !command.startsWith('annotations ') && !name.startsWith('segment_');
}

/** The actions of a network; the common ones for a name that isn't known. */
export function actionsOf(network: string): readonly string[] {
  // the user may type anything, `constructor` too
  return Object.hasOwn(networks, network) ? (networks[network] ?? COMMON) : COMMON;
}
