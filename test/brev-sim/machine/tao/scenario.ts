import { join } from 'node:path';
import { readTextIfThere } from '../json.ts';
import type { Spec } from './spec.ts';

/** How a run can go. `ok` is what a user hopes for; each other one is a way in which real runs surprise. */
export const SCENARIOS = [
  'ok',
  'cuda-oom',
  'multi-gpu',
  'nccl-timeout',
  'bus-error',
  'missing-file',
  'bad-key',
  'nan-loss',
  'killed',
  'host-oom',
  'user-interrupt',
  'silent',
  'hang',
  'huge-log',
  'ansi-split',
  'invalid-utf8',
  'gated-model',
  'no-space',
  'device-assert',
  'false-pass',
  'passing-failure',
] as const;

export type Scenario = (typeof SCENARIOS)[number];

/** The scenario by the container's TAO_SIM_SCENARIO, the spec's `sim`, or the machine's `tao-scenario` file. */
export function chooseScenario(env: NodeJS.ProcessEnv, spec: Spec | undefined): Scenario {
  const inSpec = spec?.at('sim');
  const candidates = [
    env.TAO_SIM_SCENARIO,
    typeof inSpec === 'string' ? inSpec : spec?.text('sim.scenario'),
    readTextIfThere(join(env.BREV_SIM_MACHINE ?? '', 'tao-scenario'))?.trim(),
  ];
  const name = candidates.find((text) => text !== undefined && text !== '') ?? 'ok';
  const known = SCENARIOS.find((scenario) => scenario === name);
  if (known === undefined) throw new Error(`unknown TAO scenario ${name}; known: ${SCENARIOS.join(' ')}`);
  return known;
}
