import type * as z from 'zod/mini';
import { type Message, message } from '../values/message.ts';
import type { PlanProblem } from './plan.ts';
import type { PlanText } from './planText.ts';

type Issue = z.core.$ZodIssue;
type Places = Pick<Extract<PlanText, { kind: 'read' }>, 'placeOf' | 'keyPlaceOf'>;

/** What doesn't have the form of a plan, in words, where it stands. `pathOf` turns a path of the checked value into the file's. */
export function fileFaults(
  issues: readonly Issue[],
  value: unknown,
  pathOf: (path: readonly PropertyKey[]) => readonly PropertyKey[],
  places: Places,
): readonly PlanProblem[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const path = [...issue.path, key];
        return fault(
          isInStep(issue.path)
            ? message('A step has no {0}. Its keys are in the list that the editor offers.', key)
            : message('A plan has no {0}: it has name, results, skipIfOutputExists and steps.', key),
          places.keyPlaceOf(pathOf(path)),
        );
      });
    }
    const key = issue.path.findLast((part) => typeof part === 'string');
    const isMissing = valueAt(value, issue.path) === undefined;
    return [
      fault(
        isMissing && typeof key === 'string'
          ? missing(key)
          : formOf(typeof key === 'string' ? key : 'steps', valueAt(value, issue.path)),
        places.placeOf(pathOf(issue.path)),
      ),
    ];
  });
}

function isInStep(path: readonly PropertyKey[]): boolean {
  return path[0] === 'steps' && path.length >= 2;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  }
  return found;
}

function missing(key: string): Message {
  return key === 'platform'
    ? message('The step has no platform: brev, brev-sdk or lepton.')
    : key === 'steps'
      ? message('The plan has no steps.')
      : message('{0} is missing.', key);
}

function formOf(key: string, value: unknown): Message {
  switch (key) {
    case 'platform':
      return message('{0} is no platform. The platforms are brev, brev-sdk and lepton.', shown(value));
    case 'name':
    case 'needs':
    case 'of':
      return message(
        'The name of a step has up to 40 letters, digits, hyphens and underscores; {0} is none.',
        shown(value),
      );
    case 'gpus':
      return message('gpus is a number from 0 to 64, or "all".');
    case 'nodes':
      return message('nodes is a number from 1 on.');
    case 'retries':
      return message('retries is a number from 0 to 10.');
    case 'timeout':
      return message('A timeout is written like 90m, 2h or 1d12h.');
    case 'instance':
    case 'new':
      return message(
        'instance is the name of an instance, "new", {"new": "TYPE"}, or {"of": "STEP"} for that of an earlier step.',
      );
    case 'inputs':
      return message(
        'inputs is a map from paths in the container to s3:// paths or to the names of earlier steps.',
      );
    case 'outputs':
      return message('outputs is an s3:// path for /results, or a map from paths in the container to them.');
    case 'env':
      return message('env is a list of names of environment variables; their values stay where they are.');
    case 'command':
      return message('The command is empty.');
    case 'image':
      return message('image is the name of a container image with its tag.');
    case 'steps':
      return message('A plan is a list of steps, up to 200; each step is a map.');
    default:
      return message('{0} has another form here than a plan allows.', key);
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function fault(problem: Message, place: PlanProblem['place']): PlanProblem {
  return { severity: 'error', problem, place, step: undefined };
}
