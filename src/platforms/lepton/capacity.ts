import { failed, type Outcome, ok } from '../../values/outcome.ts';
import type { LeptonClient, LeptonNode, LeptonShape } from './client.ts';

/** A shape in a node group, and how many nodes could take it now. */
export interface LeptonOffer {
  readonly shape: LeptonShape;
  readonly nodeGroup: string;
  /** Undefined where the service doesn't tell. */
  readonly nodes: { readonly all: number; readonly free: number | undefined } | undefined;
}

/** What a workspace has to run jobs on. The service tells no prices. */
export async function leptonOffers(
  client: LeptonClient,
  signal: AbortSignal,
): Promise<Outcome<readonly LeptonOffer[]>> {
  const groups = await client.nodeGroups(signal);
  if (groups.kind !== 'ok') {
    return groups;
  }
  const looks = await Promise.all(
    groups.value.map(async (nodeGroup) => {
      const [shapes, nodes] = await Promise.all([
        client.shapes(nodeGroup, signal),
        client.nodes(nodeGroup, signal),
      ]);
      return { nodeGroup, shapes, nodes: nodes.kind === 'ok' ? nodes.value : undefined };
    }),
  );
  const offers: LeptonOffer[] = [];
  for (const { nodeGroup, nodes, shapes } of looks) {
    if (shapes.kind === 'cancelled') {
      return shapes;
    }
    if (shapes.kind === 'ok') {
      offers.push(
        ...shapes.value.map((shape) => ({
          shape,
          nodeGroup,
          nodes: nodes === undefined ? undefined : { all: nodes.length, free: freeNodes(nodes, shape) },
        })),
      );
    }
  }
  // one group that this token may not look into doesn't hide the others
  const first = looks.find(({ shapes }) => shapes.kind === 'failed')?.shapes;
  return offers.length === 0 && first?.kind === 'failed' ? failed(first.failure) : ok(offers);
}

/** Undefined where a node doesn't tell what of it is free. */
function freeNodes(nodes: readonly LeptonNode[], { accelerators }: LeptonShape): number | undefined {
  if (accelerators === 0 || nodes.some(({ freeAccelerators }) => freeAccelerators === undefined)) {
    return undefined;
  }
  return nodes.filter(
    ({ freeAccelerators = 0, schedulable }) => schedulable && freeAccelerators >= accelerators,
  ).length;
}
