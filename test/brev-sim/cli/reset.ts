import { wipeMachine } from '../cloud/machine.ts';
import { changeInstance, findOwn, notFound } from './instances.ts';
import { requireOrg } from './orgs.ts';
import type { Invocation } from './run.ts';
import { refuseAction, signIn } from './session.ts';

/** `brev reset NAME…`: a fresh machine under the same name; no names, nothing to do. */
export async function reset({ run, args }: Invocation): Promise<void> {
  for (const name of args) {
    const session = signIn(run);
    const seen = findOwn(run, session, requireOrg(run, session), name);
    if (seen === undefined) throw notFound(name);
    refuseAction(run);
    changeInstance(run, seen.instance.id, (record) => {
      record.status = 'RUNNING';
      record.motion = { kind: 'reset', since: Date.now() };
    });
    await wipeMachine(run.root, run.cloud(), seen.instance);
    run.out(
      `Instance ${name} is resetting.\nNote: this can take a few seconds. Run 'brev ls' to check status\n`,
    );
  }
}
