import { parseS3Path } from '../storage/s3Path.ts';
import { message } from '../values/message.ts';
import { circleOf } from './order.ts';
import type { PlanProblem } from './plan.ts';
import type { StepDraft } from './readStep.ts';

/** Names that two steps have, needs that no step meets, and circles. */
export function orderFaults(drafts: readonly StepDraft[]): readonly PlanProblem[] {
  const problems: PlanProblem[] = [];
  const names = new Set<string>();
  for (const { at, raw, step } of drafts) {
    if (names.has(step.name)) {
      problems.push({
        severity: 'error',
        problem: message('Two steps are called {0}. Give one of them another name.', step.name),
        place: raw.name === undefined ? at.whole : at.of('name'),
        step: step.name,
      });
    }
    names.add(step.name);
  }
  for (const { at, raw, step } of drafts) {
    const said = raw.needs === undefined ? [] : typeof raw.needs === 'string' ? [raw.needs] : raw.needs;
    for (const [index, need] of said.entries()) {
      if (!names.has(need)) {
        problems.push({
          severity: 'error',
          problem: message('{0} needs {1}, but there is no such step.', step.name, need),
          place: typeof raw.needs === 'string' ? at.of('needs') : at.of('needs', index),
          step: step.name,
        });
      }
    }
  }
  const circle = problems.length > 0 ? undefined : circleOf(drafts.map(({ step }) => step));
  const first = drafts.find(({ step }) => step.name === circle?.[0]);
  if (circle !== undefined && first !== undefined) {
    problems.push({
      severity: 'error',
      problem: message('These steps wait for each other: {0}', [...circle, first.step.name].join(' → ')),
      place: first.raw.needs === undefined ? first.at.whole : first.at.of('needs'),
      step: first.step.name,
    });
  }
  return problems;
}

/** Places in S3 that two steps write: the later one would overwrite what the earlier one left. */
export function outputFaults(drafts: readonly StepDraft[]): readonly PlanProblem[] {
  const problems: PlanProblem[] = [];
  const writers: { readonly folder: string; readonly step: string }[] = [];
  for (const { at, raw, step } of drafts) {
    for (const { path, uri } of step.outputs.filter((output) => parseS3Path(output.uri).kind === 'path')) {
      const folder = uri.endsWith('/') ? uri : `${uri}/`;
      const other = writers.find(
        (writer) => folder.startsWith(writer.folder) || writer.folder.startsWith(folder),
      );
      if (other !== undefined) {
        problems.push({
          severity: 'error',
          problem: message('{0} writes {1}, which {2} writes too.', step.name, uri, other.step),
          place:
            raw.outputs === undefined
              ? at.whole
              : typeof raw.outputs === 'string'
                ? at.of('outputs')
                : at.of('outputs', path),
          step: step.name,
        });
      }
      writers.push({ folder, step: step.name });
    }
  }
  return problems;
}
