import { builtInCatalogue } from '../catalogue/builtIn.ts';
import { findModel } from '../catalogue/catalogue.ts';
import { guessSpec, type SpecGuess } from '../specGuess.ts';
import { recogniseSpec } from './recognise.ts';
import { parseSpec } from './specDocument.ts';

/** What a spec file is to be run as, by its content before its path; for a file that can't be read, by its words. */
export async function guessRun(content: Uint8Array, path: string): Promise<SpecGuess> {
  const text = new TextDecoder().decode(content);
  const parsing = await parseSpec(content);
  if (parsing.kind !== 'read') {
    return guessSpec(path, text);
  }
  const { model, action } = recogniseSpec(parsing.document, text, path);
  // a run goes by the name of its command, and two models may share one
  const network = model === undefined ? undefined : findModel(builtInCatalogue, model)?.network;
  return network === undefined ? guessSpec(path, text) : { network, action };
}
