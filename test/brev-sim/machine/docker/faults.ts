import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, isRecord, readJsonIfThere } from '../json.ts';
import { DockerFailure } from './failure.ts';

/** One injected fault of `docker-faults.json`. */
export interface Fault {
  /** Which failure; each command knows its own. */
  error: string;
  /** A text of one's own instead of the usual one. */
  text: string | undefined;
  /** Only for images or registries that contain this. */
  match: string;
  /** How often it strikes; for ever when absent. */
  times: number;
  /** Simulated seconds that the call takes before it fails or goes on. */
  seconds: number;
}

export type FaultKind = 'daemon' | 'pull' | 'login' | 'run';

function asFault(value: unknown): Fault | undefined {
  if (typeof value === 'string') {
    return { error: value, text: undefined, match: '', times: Number.POSITIVE_INFINITY, seconds: 0 };
  }
  if (!isRecord(value)) return undefined;
  const { error, text, match, times, seconds } = value;
  return {
    error: typeof error === 'string' ? error : '',
    text: typeof text === 'string' ? text : undefined,
    match: typeof match === 'string' ? match : '',
    times: typeof times === 'number' ? times : Number.POSITIVE_INFINITY,
    seconds: typeof seconds === 'number' ? seconds : 0,
  };
}

/** The fault that strikes this call, if one does; a counted one is used up by it. */
export function strikingFault(machine: string, kind: FaultKind, subject = ''): Fault | undefined {
  const file = readJsonIfThere(join(machine, 'docker-faults.json'));
  if (!isRecord(file)) return undefined;
  const entry = file[kind];
  const entries = Array.isArray(entry) ? entry : [entry];
  for (const [index, value] of entries.entries()) {
    const fault = asFault(value);
    if (fault === undefined || !subject.includes(fault.match)) continue;
    if (fault.times === Number.POSITIVE_INFINITY || takeTurn(machine, `${kind}-${index}`, fault.times)) {
      return fault;
    }
  }
  return undefined;
}

/** Counts by making folders, which two processes can't both do. */
function takeTurn(machine: string, key: string, times: number): boolean {
  const folder = join(machine, 'docker', 'fault-turns');
  mkdirSync(folder, { recursive: true });
  for (let turn = 1; turn <= times; turn++) {
    try {
      mkdirSync(join(folder, `${key}-${turn}`));
      return true;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
  return false;
}

const SOCKET = 'unix:///var/run/docker.sock';

/** Fails as a client does that can't reach its engine; `stdout` is what the command prints all the same. */
export async function requireEngine(machine: string, apiPath: string, stdout = ''): Promise<void> {
  const fault = strikingFault(machine, 'daemon');
  if (fault === undefined) return;
  switch (fault.error) {
    case 'hang':
      await new Promise(() => setInterval(() => undefined, 60_000));
      return;
    case 'permission':
      if (process.env.BREV_SIM_SUDO === '1') return;
      throw new DockerFailure(
        fault.text ??
          `permission denied while trying to connect to the Docker daemon socket at ${SOCKET}: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.50${apiPath}": dial unix /var/run/docker.sock: connect: permission denied`,
        1,
        stdout,
      );
    default:
      throw new DockerFailure(
        fault.text ?? `Cannot connect to the Docker daemon at ${SOCKET}. Is the docker daemon running?`,
        1,
        stdout,
      );
  }
}
