import { message } from '../../values/message.ts';
import { folderOfPattern } from '../pathPattern.ts';
import { isNeeded, type SpecPath, specPaths } from '../specPaths.ts';
import { type ContainerMount, isWithin, whereabouts } from './containerMounts.ts';
import { FILE_BEGIN } from './place.ts';
import type { SpecEntry } from './specDocument.ts';
import type { SpecProblem } from './specProblem.ts';
import { type SpecView, sectionOf } from './specView.ts';
import { suggestedPath } from './suggestedPath.ts';

/** What a job provides for the paths of its spec. */
export interface PathContext {
  readonly action: string;
  readonly mounts: readonly ContainerMount[];
  /** Files and folders of the container that will be put there before the job. */
  readonly uploads: readonly string[];
  /** Keys that the action can't do without. */
  readonly required: ReadonlySet<string>;
}

/** Paths that lead nowhere, values that are still to be given, results that would be lost. */
export function pathProblems(spec: SpecView, context: PathContext): readonly SpecProblem[] {
  const { paths } = specPaths(spec.scalars, sectionOf(context.action));
  return [
    ...paths.flatMap((path) => problemOf(path, spec, context) ?? []),
    ...spec.entries.flatMap((entry) => missingValue(entry, context) ?? relative(entry, context) ?? []),
    ...resultsDir(spec, context),
  ];
}

function problemOf(path: SpecPath, spec: SpecView, context: PathContext): SpecProblem | undefined {
  const entry = spec.entry(path.keyPath.join('.'));
  if (entry === undefined || path.kind === 's3') {
    return undefined;
  }
  // another action's outputs are of no concern to this one
  if (path.role === 'output' && !path.needed) {
    return undefined;
  }
  return path.role === 'input' ? inputProblem(path, entry, context) : outputProblem(path, entry, context);
}

function inputProblem(path: SpecPath, { place }: SpecEntry, context: PathContext): SpecProblem | undefined {
  const severity = path.needed ? 'error' : 'information';
  if (path.kind === 'foreign') {
    return {
      code: 'pathNowhere',
      severity,
      message: message(
        'The container does not know {0}: paths in a spec are those of the container, such as /data/….',
        path.value,
      ),
      place,
      ...replaceBy(suggestedPath(path.value)),
    };
  }
  const value = folderOfPattern(path.value) ?? path.value;
  if (context.uploads.some((upload) => isWithin(value, upload))) {
    return undefined;
  }
  const where = whereabouts(value, context.mounts);
  if (where.kind === 'nowhere') {
    return {
      code: 'pathNowhere',
      severity,
      message: message(
        'Nothing of the instance is to be seen under {0} in the container. What is there stands under {1}.',
        path.value,
        places(context.mounts),
      ),
      place,
      ...replaceBy(suggestedPath(path.value)),
    };
  }
  // what this action doesn't read may well be written by it
  if (where.kind === 'mount' && where.mount.from === 'job' && !where.mount.readOnly && path.needed) {
    return {
      code: 'pathEmpty',
      severity: 'warning',
      message: message(
        '{0} is empty when a job begins: what an earlier job wrote there is not in it. Put it below /data.',
        where.mount.containerPath,
      ),
      place,
      ...replaceBy(suggestedPath(path.value)),
    };
  }
  return undefined;
}

function outputProblem(
  path: SpecPath,
  { place, keyPath }: SpecEntry,
  context: PathContext,
): SpecProblem | undefined {
  const where =
    path.kind === 'absolute' ? whereabouts(path.value, context.mounts) : { kind: 'nowhere' as const };
  if (where.kind === 'mount' && !where.mount.readOnly) {
    return undefined;
  }
  const isResults = keyPath.at(-1) === 'results_dir';
  return {
    code: 'resultsLost',
    severity: isResults ? 'error' : 'warning',
    message: message(
      'What is written to {0} would be lost with the container. Write below {1}.',
      path.value,
      places(context.mounts),
    ),
    place,
    ...replaceBy(isResults ? RESULTS : below(RESULTS, path.value)),
  };
}

/** OmegaConf's `???`: a value that must be given before it is read. */
function missingValue(entry: SpecEntry, context: PathContext): SpecProblem | undefined {
  const key = entry.keyPath.join('.');
  const isOpen = entry.value === '???';
  const isRequired = context.required.has(key);
  if (!(isOpen || (isRequired && (entry.value === '' || entry.kind === 'null')))) {
    return undefined;
  }
  if (!isRequired && !isNeeded(entry.keyPath, sectionOf(context.action))) {
    return undefined;
  }
  return {
    code: 'noValue',
    severity: isRequired || key === 'results_dir' ? 'error' : 'warning',
    message: message('{0} has no value yet.', key),
    place: entry.kind === 'null' ? entry.keyPlace : entry.place,
  };
}

function relative({ value, keyPath, place }: SpecEntry, { action }: PathContext): SpecProblem | undefined {
  if (typeof value !== 'string' || !/^\.\.?\//.test(value) || !isNeeded(keyPath, sectionOf(action))) {
    return undefined;
  }
  return {
    code: 'pathNowhere',
    severity: 'warning',
    message: message(
      '{0} is looked for from the working folder of the image, where your files are not. Write a path from / on.',
      value.slice(0, 200),
    ),
    place,
    ...replaceBy(suggestedPath(value)),
  };
}

/** TAO refuses to run without one (tao.md part 3, "Files"). */
function resultsDir(spec: SpecView, { action }: PathContext): readonly SpecProblem[] {
  const keys = [`${sectionOf(action)}.results_dir`, 'results_dir'];
  const isGiven = keys.some((key) => {
    const entry = spec.entry(key);
    return entry !== undefined && entry.kind !== 'null' && entry.value !== '';
  });
  if (isGiven) {
    return [];
  }
  const empty = spec.entry('results_dir');
  return [
    {
      code: 'noResultsDir',
      severity: 'warning',
      message: message('The spec has no results_dir. Write, for example: results_dir: /results'),
      place: empty?.keyPlace ?? FILE_BEGIN,
      fix:
        empty === undefined
          ? { kind: 'insertAtTop', text: `results_dir: ${RESULTS}` }
          : { kind: 'setValue', text: RESULTS },
    },
  ];
}

/** Where a job's results are kept, on the instance beside the job. */
const RESULTS = '/results';

function below(folder: string, value: string): string | undefined {
  const name = value
    .split(/[\\/]/)
    .filter((part) => part !== '')
    .at(-1);
  return name === undefined || name.includes('${') ? undefined : `${folder}/${name}`;
}

function replaceBy(text: string | undefined): Pick<SpecProblem, 'fix'> {
  return text === undefined ? {} : { fix: { kind: 'replace', text } };
}

function places(mounts: readonly ContainerMount[]): string {
  return mounts
    .filter(({ readOnly }) => !readOnly)
    .map(({ containerPath }) => containerPath)
    .join(', ');
}
