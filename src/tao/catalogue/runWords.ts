import { builtInCatalogue } from './builtIn.ts';
import { commandWords, findAction, findModel } from './catalogue.ts';

const SPEC = '{config_path}';

/**
 * The words that start an action in its container, without the spec: mostly network and action, but `ocdnet train` for
 * retrain, `depth_net train` for depth_net_mono, `python -m …` for nvpanoptix3d.
 */
export function runWords(network: string, action: string): readonly string[] {
  const model = findModel(builtInCatalogue, network);
  const known = model === undefined ? undefined : findAction(model, action);
  const words = known === undefined ? undefined : commandWords(known, SPEC);
  const end = words?.indexOf('-e') ?? -1;
  return words === undefined || end <= 0 ? [model?.network ?? network, action] : words.slice(0, end);
}
