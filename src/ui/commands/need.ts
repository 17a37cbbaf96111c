import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Fit } from '../../tao/fit.ts';
import type { Parts } from '../parts.ts';
import { uriFrom } from './uriFrom.ts';

/** What a machine is looked for. */
export interface Need {
  /** Such as `dino train`. */
  readonly what: string;
  readonly fit: Fit;
}

const source = z.enum(['spec', 'catalogue', 'chosen', 'measured', 'unknown']);
const need = z.object({
  what: z.string(),
  fit: z.object({
    gpus: z.union([z.number(), z.undefined()]),
    gpusFrom: source,
    recommendedGpus: z.union([z.number(), z.undefined()]),
    minVramGb: z.union([z.number(), z.undefined()]),
    vramFrom: source,
  }),
});

/** The need that a button passed, or that of the spec that was passed or is being edited; undefined without one. */
export async function needFrom(parts: Parts, argument: unknown): Promise<Need | undefined> {
  const passed = z.safeParse(need, argument);
  if (passed.success) {
    return passed.data;
  }
  const { open } = await parts.specs();
  const uri = uriFrom(argument) ?? open.active;
  const look = uri === undefined ? undefined : await open.look(uri);
  return look === undefined
    ? undefined
    : { what: `${look.network ?? vscode.l10n.t('the spec')} ${look.action}`, fit: look.fit };
}
