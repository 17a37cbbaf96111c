import type { SpecPaths } from '../../tao/specPaths.ts';
import type { SpecReading } from '../../tao/specScalars.ts';
import { message } from '../../values/message.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';

/** Can the spec be read, and do all its paths say where they lead. */
export function specReadable(spec: SpecReading, { paths, unresolved }: SpecPaths): LaunchCheck {
  const line = lineOf('spec', message('Spec'));
  switch (spec.kind) {
    case 'unreadable':
      return line('failed', spec.problem, { kind: 'openSpec', line: spec.line ?? 1 });
    case 'tooLarge':
      return line('warning', message('The spec is too large to be looked at: its paths were not checked.'));
    case 'read':
      break;
  }
  const [first] = unresolved;
  return first === undefined
    ? line('passed', message('Readable. Paths: {0}.', paths.length))
    : line(
        'warning',
        message(
          'Line {0} refers to something that only the run knows ({1}): that path was not checked.',
          first.line,
          first.value,
        ),
        { kind: 'openSpec', line: first.line },
      );
}
