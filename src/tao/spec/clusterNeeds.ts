import { specPaths } from '../specPaths.ts';
import { parseSpec } from './specDocument.ts';
import { SpecView, sectionOf } from './specView.ts';

/** Where a run writes its results: in its container, or in S3 by itself. */
export type ResultsPlace =
  | { readonly kind: 'container'; readonly path: string }
  | { readonly kind: 's3'; readonly uri: string };

/** What a spec wants of a cluster, on which no folder of an instance is mounted. */
export interface ClusterNeeds {
  readonly nodes: number;
  /** Absolute paths that the run reads. */
  readonly inputs: readonly string[];
  readonly results: ResultsPlace;
}

/** How many nodes a spec is for, and what lies outside of its container; of one that can't be read, the usual. */
export async function clusterNeeds(content: Uint8Array, action: string): Promise<ClusterNeeds> {
  const parsing = await parseSpec(content);
  if (parsing.kind !== 'read') {
    return { nodes: 1, inputs: [], results: { kind: 'container', path: '/results' } };
  }
  const spec = new SpecView(parsing.document);
  const section = sectionOf(action);
  const nodes = spec.number(`${section}.num_nodes`) ?? spec.number('num_nodes') ?? 1;
  const { paths } = specPaths(spec.scalars, section);
  const results = paths.find(({ keyPath, role }) => role === 'output' && keyPath.at(-1) === 'results_dir');
  return {
    nodes: Number.isInteger(nodes) && nodes > 0 ? nodes : 1,
    inputs: [
      ...new Set(
        paths
          .filter(
            ({ kind, needed, role, value }) =>
              role === 'input' &&
              needed &&
              kind === 'absolute' &&
              !(results !== undefined && value.startsWith(`${results.value}/`)),
          )
          .map(({ value }) => value),
      ),
    ],
    results:
      results?.kind === 's3'
        ? { kind: 's3', uri: results.value }
        : { kind: 'container', path: results?.kind === 'absolute' ? results.value : '/results' },
  };
}
