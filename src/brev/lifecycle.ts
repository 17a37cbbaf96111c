import { message } from '../values/message.ts';
import { failed, type Outcome, ok, then } from '../values/outcome.ts';
import { type BrevCommand, MINUTE, nothing } from './command.ts';

/**
 * Starting, stopping, resetting and deleting. Each takes the id, which is unique where names need not be.
 * None asks back, and none has a --yes (brev-cli.md part 7).
 */
export function stop(id: string): Outcome<BrevCommand<void>> {
  return lifecycle('stop', [], id);
}

/** Detached: otherwise it polls without limit. What it doesn't find it takes for a folder, and exits with 0 all the same. */
export function start(id: string): Outcome<BrevCommand<void>> {
  return then(lifecycle('start', ['--detached'], id), (command) =>
    ok({
      ...command,
      parse: ({ stdout }) =>
        stdout.includes('tried to start with local path')
          ? failed({
              kind: 'instanceNotFound',
              message: message('There is no instance {0} (any more).', id),
              action: 'refresh',
              retrySafe: false,
              detail: stdout,
            })
          : nothing(),
    }),
  );
}

export function reset(id: string): Outcome<BrevCommand<void>> {
  return lifecycle('reset', [], id);
}

/** Exit 0 means accepted; it is deleted when the list no longer has it. */
export function deleteInstance(id: string): Outcome<BrevCommand<void>> {
  return lifecycle('delete', [], id);
}

function lifecycle(name: string, flags: readonly string[], id: string): Outcome<BrevCommand<void>> {
  // an id like a flag would be read as one, and `start` takes a path or an URL for a thing to create
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(id)) {
    return failed({
      kind: 'unusableName',
      message: message('Brev gave this instance an id that cannot be used: {0}.', JSON.stringify(id)),
      action: 'openConsole',
      retrySafe: false,
    });
  }
  return ok({ name, args: [name, id, ...flags], timeoutMs: 2 * MINUTE, readOnly: false, parse: nothing });
}
