import * as vscode from 'vscode';
import type { Job } from '../../jobs/job.ts';
import { type Fit, fitBeyond, offersThatFit } from '../../tao/fit.ts';
import type { Trouble } from '../../tao/log/trouble.ts';
import type { Explanation } from '../../tao/run/explanation.ts';
import { type Action, actionFor } from '../actions.ts';
import type { Need } from '../commands/need.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import { formatPrice } from '../price.ts';

/** Why a job failed, as it is shown: what happened, what helps, and the button for it. */
export interface JobFault {
  readonly sentence: string;
  readonly advice: string;
  readonly action: Action | undefined;
}

/** How many types are named beside a failure; the list behind the button has them all. */
const NAMED_OFFERS = 2;

/** Puts a trouble into words, with the machines that have more where it was too small. */
export async function jobFault(
  parts: Parts,
  job: Job,
  trouble: Trouble,
  explanation: Explanation,
): Promise<JobFault> {
  const { details } = job;
  const need = explanation.action === 'pickOffer' ? await needAfter(parts, job, trouble) : undefined;
  return {
    sentence: localize(explanation.sentence),
    advice: [localize(explanation.advice), ...(need === undefined ? [] : largerMachines(parts, need))].join(
      ' ',
    ),
    action:
      explanation.action === undefined
        ? undefined
        : actionFor(explanation.action, {
            instanceId: details.instanceId,
            job: details,
            ...(need === undefined ? {} : { need }),
          }),
  };
}

/** What the run needs, now that a machine was too small for it. */
async function needAfter(parts: Parts, job: Job, trouble: Trouble): Promise<Need | undefined> {
  const work = await parts.jobs.work(job);
  if (work?.kind !== 'spec') {
    return undefined;
  }
  const { fitOfRun } = await import('../../tao/runFit.ts');
  const fit = await fitOfRun(work.spec, (await (await parts.specs()).catalogue()).catalogue);
  return { what: `${work.spec.network} ${work.spec.action}`, fit: beyond(parts, job, trouble, fit) };
}

function beyond(parts: Parts, { details }: Job, trouble: Trouble, fit: Fit): Fit {
  if (trouble.kind !== 'cudaOutOfMemory') {
    return fit;
  }
  const type = parts.store.find(details.instanceId)?.type;
  const total = trouble.totalGib ?? (type === undefined ? undefined : parts.offers.known(type)?.gpu?.vramGb);
  return total === undefined || total === 0 ? fit : fitBeyond(fit, total);
}

/** The cheapest that are large enough, where prices are known already. */
function largerMachines(parts: Parts, { fit }: Need): readonly string[] {
  if (fit.vramFrom !== 'measured') {
    return [];
  }
  const names = offersThatFit(parts.offers.latest, fit)
    .slice(0, NAMED_OFFERS)
    .flatMap(({ gpu, pricePerHour }) =>
      gpu === undefined ? [] : [`${gpu.count} × ${gpu.name} ${gpu.vramGb} GB (${formatPrice(pricePerHour)})`],
    );
  return names.length === 0 ? [] : [vscode.l10n.t('With more memory: {0}.', names.join(', '))];
}
