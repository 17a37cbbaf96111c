/** What a machine says about itself when a connection to it stands. */
export interface Machine {
  readonly hostName: string;
  /** The name of the login shell, such as bash. */
  readonly loginShell: string;
}

/** A machine in VM mode is named after its instance: prompts read `ubuntu@brev-5g1xtl74o`, id included. */
const NAMED_AFTER_INSTANCE = /^brev-([a-z0-9]{9})$/;

/**
 * Whether a machine is that instance, as far as its name tells: one in a container has a name of its own, and then
 * nothing is known.
 */
export function isInstance(machine: Machine, instanceId: string): 'yes' | 'no' | 'unknown' {
  const named = NAMED_AFTER_INSTANCE.exec(machine.hostName.split('.', 1)[0] ?? '')?.[1];
  if (named === instanceId) {
    return 'yes';
  }
  // an id of another form could not have made such a name
  return named !== undefined && /^[a-z0-9]{9}$/.test(instanceId) ? 'no' : 'unknown';
}
