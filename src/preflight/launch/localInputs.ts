import { folderOfPattern } from '../../tao/pathPattern.ts';
import type { SpecPath } from '../../tao/specPaths.ts';
import { message } from '../../values/message.ts';
import type { LaunchContext } from './context.ts';
import { type LaunchCheck, type LaunchFix, lineOf } from './launchCheck.ts';
import { type Mount, mountsOf, type Place, placeOf } from './mounts.ts';
import type { AskedPath, RemoteFacts, SeenPath } from './remoteFacts.ts';
import { shortened } from './shortened.ts';

/** An input that is to be seen on the instance. */
interface Looked {
  readonly input: SpecPath;
  readonly place: Place;
  /** Undefined where there is nothing to look at. */
  readonly asked: AskedPath | undefined;
}

/** Are the inputs of the container's file system where the job will look for them. */
export class LocalInputs {
  readonly #looked: readonly Looked[];
  readonly #mounts: readonly Mount[];

  constructor(context: LaunchContext, inputs: readonly SpecPath[]) {
    this.#mounts = mountsOf(context.run);
    this.#looked = inputs.map((input) => {
      const place: Place =
        input.kind === 'absolute'
          ? placeOf(folderOfPattern(input.value) ?? input.value, this.#mounts)
          : { kind: 'nowhere' };
      return { input, place, asked: askedOf(place) };
    });
  }

  /** What the instance is to be asked. */
  get asked(): readonly AskedPath[] {
    return this.#looked.flatMap(({ asked }) => asked ?? []);
  }

  /** The lines, once the instance has answered; undefined facts: it could not be asked. */
  lines(facts: RemoteFacts | undefined): readonly LaunchCheck[] {
    let next = 0;
    const lines = this.#looked.map((looked) => {
      const seen = looked.asked === undefined ? undefined : facts?.paths[next++];
      return { name: looked.input.value, check: this.#line(looked, seen) };
    });
    return shortened('input', message('More inputs'), lines);
  }

  #line({ input, place, asked }: Looked, seen: SeenPath | undefined): LaunchCheck {
    const line = lineOf(`input:${input.value}`, message('Input: {0}', input.value));
    const refusal = input.needed ? 'failed' : 'warning';
    const openSpec: LaunchFix = { kind: 'openSpec', line: input.line };
    if (asked === undefined || place.kind !== 'mounted') {
      return notToBeSeen(line, input, place, refusal, this.#mounts);
    }
    const isPattern = folderOfPattern(input.value) !== undefined;
    const rest = place.rest === '' ? '' : `/${place.rest.replace(/\/$/, '')}`;
    const remotePath = place.mount.path + rest;
    const upload: LaunchFix = {
      kind: 'upload',
      remotePath,
      containerPath: place.mount.containerPath + rest,
    };
    switch (seen) {
      case undefined:
        return line('skipped', message('Not checked: the instance could not be asked.'));
      case 'file':
      case 'folder':
        return line(
          'passed',
          isPattern
            ? message('The folder of the pattern is there; which files match was not checked.')
            : message('Seen on the instance, as ~/{0}.', remotePath),
        );
      case 'empty':
        return line('warning', message('An empty folder on the instance: ~/{0}.', remotePath), upload);
      case 'missing':
        return line(
          refusal,
          message('Not on the instance: the container would look in ~/{0}. Upload it.', remotePath),
          upload,
        );
      case 'outside':
        return line(
          refusal,
          message(
            '~/{0} is a link that the container cannot follow. Put the files themselves there, or a relative link within ~/{1}.',
            remotePath,
            place.mount.path,
          ),
          openSpec,
        );
    }
  }
}

function askedOf(place: Place): AskedPath | undefined {
  return place.kind === 'mounted' && place.mount.from === 'home'
    ? { folder: place.mount.path, rest: place.rest }
    : undefined;
}

/** An input in a place that is new with each job, or that no mount covers. */
function notToBeSeen(
  line: ReturnType<typeof lineOf>,
  input: SpecPath,
  place: Place,
  refusal: 'failed' | 'warning',
  mounts: readonly Mount[],
): LaunchCheck {
  const openSpec: LaunchFix = { kind: 'openSpec', line: input.line };
  const kept = mounts.find(({ from }) => from === 'home');
  const [onInstance, inContainer] = [kept?.path ?? 'data', kept?.containerPath ?? '/data'];
  switch (place.kind) {
    case 'mounted':
      if (place.mount.readOnly && place.rest === '') {
        return line('passed', message('The spec itself.'));
      }
      return line(
        refusal,
        message(
          '{0} is empty when a job starts. Copy the files of an earlier job to ~/{1} on the instance, and write {2}/… in the spec.',
          place.mount.containerPath,
          onInstance,
          inContainer,
        ),
        openSpec,
      );
    case 'image':
      return line('warning', message('Part of the image, if it is there: that was not checked.'), openSpec);
    case 'nowhere':
      return line(
        refusal,
        message(
          'The container does not see it. Put the files into ~/{0} on the instance, and write {1}/… in the spec.',
          onInstance,
          inContainer,
        ),
        openSpec,
      );
  }
}
