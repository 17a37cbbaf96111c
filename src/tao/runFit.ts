import { type Catalogue, findModel } from './catalogue/catalogue.ts';
import { type Fit, fitOf } from './fit.ts';
import type { RunSpec } from './runSpec.ts';
import { parseSpec } from './spec/specDocument.ts';
import { SpecView, sectionOf } from './spec/specView.ts';

/** What a run needs of a machine; a number of GPUs that the user has chosen for a training goes before the spec's. */
export async function fitOfRun(run: RunSpec, catalogue: Catalogue): Promise<Fit> {
  const { network, action, gpus, specFile } = run;
  const parsing = await parseSpec(specFile.content);
  const spec = parsing.kind === 'read' ? new SpecView(parsing.document) : undefined;
  const fit = fitOf(findModel(catalogue, network), spec, action);
  return gpus === 'all' || sectionOf(action) !== 'train' ? fit : { ...fit, gpus, gpusFrom: 'chosen' };
}
