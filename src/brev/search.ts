import * as z from 'zod/mini';
import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { type BrevCommand, type CommandOutput, SECOND } from './command.ts';
import { readJson, readRows } from './jsonAnswer.ts';

// a field of another kind than known must not hide the offer
const number = z.catch(z.number(), 0);
const text = z.catch(z.string(), '');

const offerRow = z.object({
  type: z.string().check(z.minLength(1)),
  cloud: text,
  provider: text,
  gpu_name: text,
  gpu_count: number,
  vram_per_gpu_gb: number,
  total_vram_gb: number,
  vcpus: number,
  ram_gb: number,
  arch: text,
  disk_min_gb: number,
  disk_max_gb: number,
  boot_time_seconds: number,
  /** Missing means unknown, which isn't the same as false. */
  stoppable: z.catch(z.optional(z.boolean()), undefined),
  /** A missing price is unknown, not free. */
  price_per_hour: z.catch(z.optional(z.number()), undefined),
});

/** One row of `brev search --json`: what can be rented. Prices in US dollars an hour, sizes in GB. */
export type OfferRow = z.infer<typeof offerRow>;

/** Lists what can be rented; works without being signed in. There is no availability in it (brev-cli.md part 4). */
export function search(kind: 'gpu' | 'cpu'): BrevCommand<readonly OfferRow[]> {
  return {
    name: 'search',
    args: kind === 'gpu' ? ['search', '--json'] : ['search', 'cpu', '--json'],
    timeoutMs: 45 * SECOND,
    readOnly: true,
    parse: parseOffers,
  };
}

function parseOffers({ stdout }: CommandOutput): Outcome<readonly OfferRow[]> {
  const answer = readJson(stdout);
  const list =
    answer.kind === 'json' && Array.isArray(answer.value) ? readRows(answer.value, offerRow) : undefined;
  if (list === undefined || (list.rows.length === 0 && list.bad > 0)) {
    return failed({
      kind: 'unreadableAnswer',
      message: message('The list of GPU types could not be read.'),
      action: 'showLog',
      retrySafe: true,
      detail: stdout.slice(0, 2_000),
    });
  }
  return ok(list.rows);
}
