import { text } from 'node:stream/consumers';
import { simulatedSleep, simulationSpeed } from '../../speed.ts';
import { configFile, removeCredential, storeCredential } from '../credentials.ts';
import { DockerFailure, engineError } from '../failure.ts';
import { strikingFault } from '../faults.ts';
import { commandLine, parseLine } from '../flags.ts';
import { acceptsCredential, loginKey } from '../registry.ts';
import { machineFolder } from '../store.ts';
import { needWords } from '../words.ts';

const NO_TERMINAL = 'Error: Cannot perform an interactive login from a non TTY device';

/** `docker login`: asks the registry, then keeps the login in this user's config file. */
export async function login(args: string[]): Promise<number> {
  const line = parseLine(
    commandLine('login', '[OPTIONS] [SERVER]', 'p,password= password-stdin u,username='),
    args,
  );
  needWords(line, 0, 1);
  const machine = machineFolder();
  const registry = loginKey(line.words[0]);
  const user = line.value('username');
  let secret = line.value('password');
  if (secret !== undefined) {
    if (line.on('password-stdin')) {
      throw new DockerFailure('conflicting options: cannot specify both --password and --password-stdin');
    }
    process.stderr.write('WARNING! Using --password via the CLI is insecure. Use --password-stdin.\n');
  }
  if (line.on('password-stdin')) {
    if (user === undefined)
      throw new DockerFailure('the --password-stdin option requires --username to be set');
    // "$oauthtoken" in double quotes is an empty user: the skill bank's own snippet does that (contract part 2).
    if (user === '') throw new DockerFailure('username is empty');
    secret = (await text(process.stdin)).replace(/[\r\n]+$/, '');
  }
  if (user === undefined || secret === undefined || secret === '') throw new DockerFailure(NO_TERMINAL);
  await refuse(machine, registry, user, secret);
  storeCredential(registry, { user, secret });
  process.stderr.write(
    `\nWARNING! Your credentials are stored unencrypted in '${configFile()}'.\nConfigure a credential helper to remove this warning. See\nhttps://docs.docker.com/go/credential-store/\n\n`,
  );
  process.stdout.write('Login Succeeded\n');
  return 0;
}

async function refuse(machine: string, registry: string, user: string, secret: string): Promise<void> {
  const host = registry.startsWith('http') ? 'registry-1.docker.io' : registry;
  const fault = strikingFault(machine, 'login', registry);
  if (fault !== undefined && fault.seconds > 0) await simulatedSleep(fault.seconds, simulationSpeed(machine));
  if (fault?.text !== undefined) throw engineError(fault.text);
  if (fault?.error === 'unreachable') {
    throw engineError(`Get "https://${host}/v2/": dial tcp: lookup ${host} on 127.0.0.53:53: no such host`);
  }
  if (fault?.error === 'refused' || !acceptsCredential(machine, registry, { user, secret })) {
    throw engineError(`Get "https://${host}/v2/": unauthorized: authentication required`);
  }
}

/** `docker logout`. */
export async function logout(args: string[]): Promise<number> {
  const line = parseLine(commandLine('logout', '[SERVER]', ''), args);
  needWords(line, 0, 1);
  const registry = loginKey(line.words[0]);
  process.stdout.write(`Removing login credentials for ${registry}\n`);
  removeCredential(registry);
  return 0;
}
