import type { SpecPath } from '../../tao/specPaths.ts';
import { message } from '../../values/message.ts';
import type { LaunchContext } from './context.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';
import { mountsOf, placeOf } from './mounts.ts';
import { shortened } from './shortened.ts';

/** Will what the job writes outlive its container. */
export function localOutputs(context: LaunchContext, outputs: readonly SpecPath[]): readonly LaunchCheck[] {
  const mounts = mountsOf(context.run);
  const lines = outputs.map((output) => {
    const line = lineOf(`output:${output.value}`, message('Output: {0}', output.value));
    const place = output.kind === 'absolute' ? placeOf(output.value, mounts) : { kind: 'nowhere' as const };
    const kept = place.kind === 'mounted' && !place.mount.readOnly ? place.mount : undefined;
    const check =
      kept === undefined
        ? line(
            output.needed && output.keyPath.at(-1) === 'results_dir' ? 'failed' : 'warning',
            message(
              'It would be lost with the container. Write a place below {0} in the spec.',
              mounts
                .filter(({ readOnly }) => !readOnly)
                .map(({ containerPath }) => containerPath)
                .join(', '),
            ),
            { kind: 'openSpec', line: output.line },
          )
        : line(
            'passed',
            kept.from === 'job'
              ? message("Kept on the instance, in the job's own folder.")
              : message('Kept on the instance, in ~/{0}.', kept.path),
          );
    return { name: output.value, check };
  });
  return shortened('output', message('More outputs'), lines);
}
