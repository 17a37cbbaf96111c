import { existsSync } from 'node:fs';
import type { Instance } from '../cloud/instance.ts';
import { addInstance, newInstance } from '../cloud/new-instance.ts';
import { CliError, GoPanic } from './errors.ts';
import { changeInstance, findOwn, instancesOf, seeNow } from './instances.ts';
import { namesFrom, printNames } from './names.ts';
import { requireOrg } from './orgs.ts';
import type { Invocation, Run } from './run.ts';
import { refuseAction, type Session, signIn } from './session.ts';

/** `brev start NAME`; names piped in are a batch, which never waits. */
export async function start({ run, flags, args }: Invocation): Promise<void> {
  const names = await namesFrom(run, args);
  const session = signIn(run);
  const [first] = names;
  if (first === undefined) {
    throw new CliError('name field is required for empty workspaces');
  }
  const batch = run.stdin !== 'null' && run.stdin !== 'tty' && names.length > 1;
  const wanted = batch ? names : names.slice(0, 1);
  for (const name of wanted) await startOne(run, session, name, flags.on('detached') || batch);
  printNames(run, wanted);
}

/** Starts a stopped instance and waits until it runs, without any limit, as exec, copy and shell do too. */
export async function startAndWait(run: Run, instance: Instance): Promise<void> {
  run.out(`Instance ${instance.name} is starting. \n\n`);
  powerOn(run, instance.id);
  await pollUntilRunning(run, instance.id);
}

/** Polls every 5 s; without limit, as the real CLI (contract 7). */
export async function pollUntilRunning(run: Run, id: string): Promise<void> {
  for (;;) {
    await run.spin('waiting for instance to be ready...', 5_000);
    const cloud = run.cloud();
    const instance = cloud.instances.find((candidate) => candidate.id === id);
    if (instance === undefined) throw new CliError('workspace not found');
    if (seeNow(run, cloud, instance).sight.status === 'RUNNING') return;
  }
}

async function startOne(run: Run, session: Session, name: string, detached: boolean): Promise<void> {
  const org = requireOrg(run, session);
  const seen = findOwn(run, session, org, name);
  if (seen === undefined) {
    startUnknown(run, session, name);
    return;
  }
  const { instance, sight } = seen;
  if (sight.status !== 'STOPPED') throw new CliError(`Instance is not stopped status=${sight.status}`);
  if (run.fault('no-capacity') !== undefined) {
    throw new CliError(`instance type ${instance.type} has no capacity, please try again later`);
  }
  refuseAction(run);
  powerOn(run, instance.id);
  run.out(
    `Instance ${name} is starting. \nNote: this can take about a minute. Run 'brev ls' to check status\n\n`,
  );
  if (detached) return;
  await pollUntilRunning(run, instance.id);
  run.out(
    `\nYour instance is ready!\n\nConnect to the instance:\n\tbrev open ${name}\n\tbrev shell ${name}\n`,
  );
}

/** An unknown name is tried as a path, a teammate's instance and a git URL, each of which makes a new machine. */
function startUnknown(run: Run, session: Session, name: string): void {
  const org = requireOrg(run, session);
  const teammates = instancesOf(run, org).find(({ instance }) => instance.name === name);
  if (/^https?:.*launchable/.test(name)) throw new GoPanic(`invalid launchable URL: ${name}`);
  const isPath = existsSync(name);
  if (isPath && !existsSync(`${name}/.git/config`))
    throw new CliError(`Could not read .git/config at ${name}`);
  const isUrl = /^(https?:\/\/|git@).+\/.+/.test(name);
  if (teammates === undefined && !isPath && !isUrl) {
    run.out('tried to start with local path but path not found\n');
    return;
  }
  const fresh =
    name
      .split('/')
      .at(-1)
      ?.replace(/\.git$/, '') ?? name;
  const instance = newInstance(run.cloud(), {
    name: fresh,
    type: teammates?.instance.type ?? 'n1-standard-4:nvidia-tesla-t4:1',
    orgId: org.id,
    owner: session.userId,
  });
  addInstance(run.root, instance);
  run.out(`Cloning and starting ${fresh}\n`);
}

function powerOn(run: Run, id: string): void {
  changeInstance(run, id, (instance) => {
    instance.status = 'RUNNING';
    instance.motion = { kind: 'start', since: Date.now() };
  });
}
