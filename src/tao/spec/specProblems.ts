import { message } from '../../values/message.ts';
import { type Catalogue, findAction, findModel } from '../catalogue/catalogue.ts';
import type { ContainerMount } from './containerMounts.ts';
import { type GpusAtHand, gpuProblems } from './gpuProblems.ts';
import { pathProblems } from './pathProblems.ts';
import { FILE_BEGIN } from './place.ts';
import type { SpecDocument, SpecParsing } from './specDocument.ts';
import type { SpecProblem } from './specProblem.ts';
import { SpecView } from './specView.ts';

/** What a spec is to be run as, and on what. */
export interface SpecContext {
  /** Undefined when nobody knows. */
  readonly model: string | undefined;
  readonly action: string;
  readonly catalogue: Catalogue;
  /** The mounts of the job's container. */
  readonly mounts: readonly ContainerMount[];
  /** Container paths that will be filled before the job. */
  readonly uploads?: readonly string[];
  /** The GPUs that it would get, where that is known. */
  readonly gpus?: GpusAtHand | undefined;
}

/** More is of no use to anybody. */
const MAX_PROBLEMS = 200;

/** Everything that is wrong with a spec, at its places, in the order of the file. */
export function specProblems(parsing: SpecParsing, context: SpecContext): readonly SpecProblem[] {
  switch (parsing.kind) {
    case 'tooLarge':
      return [
        {
          code: 'tooLarge',
          severity: 'warning',
          message: message('The spec is too large to be looked at: nothing in it was checked.'),
          place: FILE_BEGIN,
        },
      ];
    case 'unreadable':
      return parsing.faults.map(({ problem, place, fix }) => ({
        code: 'unreadable',
        severity: 'error',
        message: problem,
        place: place ?? FILE_BEGIN,
        ...(fix === undefined ? {} : { fix }),
      }));
    case 'read':
      return [
        ...remarks(parsing.document),
        ...modelProblems(context),
        ...contentProblems(parsing.document, context),
      ]
        .sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column)
        .slice(0, MAX_PROBLEMS);
  }
}

function contentProblems(document: SpecDocument, context: SpecContext): readonly SpecProblem[] {
  const spec = new SpecView(document);
  const model = context.model === undefined ? undefined : findModel(context.catalogue, context.model);
  const action = model === undefined ? undefined : findAction(model, context.action);
  const required = new Set(
    (action?.inputs ?? []).filter(({ isOptional }) => !isOptional).map(({ key }) => key),
  );
  return [
    ...pathProblems(spec, {
      action: context.action,
      mounts: context.mounts,
      uploads: context.uploads ?? [],
      required,
    }),
    ...gpuProblems(spec, context.action, context.gpus),
  ];
}

function remarks(document: SpecDocument): readonly SpecProblem[] {
  return document.remarks.map(({ problem, place, isHarmless, fix }) => ({
    code: isHarmless ? 'foreignBytes' : 'aliasesGrow',
    severity: isHarmless ? 'information' : 'error',
    message: problem,
    place: place ?? FILE_BEGIN,
    ...(fix === undefined ? {} : { fix }),
  }));
}

function modelProblems({ model: name, action, catalogue }: SpecContext): readonly SpecProblem[] {
  const place = FILE_BEGIN;
  if (name === undefined) {
    return [
      {
        code: 'unknownModel',
        severity: 'information',
        message: message('Which model this spec is for cannot be told: choose it when you run the spec.'),
        place,
      },
    ];
  }
  const model = findModel(catalogue, name);
  if (model === undefined) {
    return [
      {
        code: 'unknownModel',
        severity: 'warning',
        message: message('{0} is none of the models that are known here: nothing is checked for it.', name),
        place,
      },
    ];
  }
  return findAction(model, action) === undefined
    ? [
        {
          code: 'unknownAction',
          severity: 'warning',
          message: message(
            '{0} is not known to do {1}. It does: {2}.',
            name,
            action,
            model.actions.map((each) => each.name).join(', '),
          ),
          place,
        },
      ]
    : [];
}
