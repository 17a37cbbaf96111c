import * as vscode from 'vscode';
import type { BrevCommand } from '../../brev/command.ts';
import type { Instance } from '../../instances/instance.ts';
import type { Failure } from '../../values/failure.ts';
import type { Outcome } from '../../values/outcome.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import { showFailure } from '../showFailure.ts';

/** Does the same to one or several instances, one call each, and says which could not be done. */
export async function forEachInstance(
  parts: Parts,
  instances: readonly Instance[],
  title: string,
  command: (id: string) => Outcome<BrevCommand<void>>,
): Promise<readonly Instance[]> {
  const done: Instance[] = [];
  const failures: { readonly instance: Instance; readonly failure: Failure }[] = [];
  await vscode.window.withProgress({ location: { viewId: 'brev.instances' }, title }, async () => {
    for (const instance of instances) {
      const built = command(instance.id);
      const outcome = built.kind === 'ok' ? await parts.brev.execute(built.value) : built;
      if (outcome.kind === 'ok') {
        done.push(instance);
      } else if (outcome.kind === 'failed') {
        failures.push({ instance, failure: byName(outcome.failure, instance) });
      }
    }
  });
  const [first, ...others] = failures;
  if (first !== undefined && others.length === 0) {
    void showFailure(first.failure, parts.log, first.instance.id);
  } else if (first !== undefined) {
    const lines = failures.map(({ instance, failure }) => `${instance.name}: ${localize(failure.message)}`);
    parts.log.error(lines.join('\n'));
    void vscode.window.showErrorMessage(lines.join(' '));
  }
  return done;
}

/** The failure as it is to be told: the CLI was given the id, and says it back where a person knows the name. */
export function byName(failure: Failure, { id, name }: Instance): Failure {
  const { template, args } = failure.message;
  return { ...failure, message: { template, args: args.map((arg) => (arg === id ? name : arg)) } };
}

/** The names, for a question about one or several. */
export function namesOf(instances: readonly Instance[]): string {
  return instances.map(({ name }) => name).join(', ');
}

/** What they cost together an hour; undefined when the price of one isn't known. */
export function priceOf(parts: Parts, instances: readonly Instance[]): number | undefined {
  let total = 0;
  for (const { type } of instances) {
    const price = parts.offers.known(type)?.pricePerHour;
    if (price === undefined) {
      return undefined;
    }
    total += price;
  }
  return total;
}
