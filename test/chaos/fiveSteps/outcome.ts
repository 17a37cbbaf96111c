import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import type { CloudWorld } from '../../unit/workflow/cloudWorld.ts';
import { STEPS } from '../../unit/workflow/fiveSteps.ts';
import { worldProcesses } from '../processes.ts';

/** How long what was left running may take to end. */
const REMAINS_MS = 20_000;
const LOOK_MS = 100;

/** What counts at the end, whatever happened on the way, as lines: ids and times don't, nor what never ran. */
export async function outcomeOf(world: CloudWorld): Promise<readonly string[]> {
  const state = world.state();
  const steps = STEPS.map((name) => {
    const step = state.steps[name];
    const ends = step?.attempts.flatMap(({ end }) => (end === 'neverLaunched' ? [] : [end])) ?? [];
    const reason = step?.reason === undefined ? [] : [JSON.stringify(step.reason)];
    return [name, step?.phase, ...ends, ...reason].join(' ');
  });
  const runs = readdirSync(path.join(world.folder, 'runs')).map(
    (name) => `${name} ran ${world.runs(name)} times`,
  );
  const instances = await world.cloud.sim.instances();
  return [
    `the plan: ${state.ended}`,
    ...steps,
    `the machine of prepare: ${state.machines.prepare?.phase}`,
    ...state.keptMachines.map((name) => `kept: ${name}`),
    ...runs,
    ...records(world),
    ...instances.map(({ name }) => `instance ${name}`),
    ...world.lepton.jobs().map((job) => `on Lepton ${job.name.replace(/-.*/, '')} ${job.state}`),
    ...(await outputs(world)),
  ];
}

/** The jobs of each step that are recorded as run; another computer that has seen one may not have seen its end. */
function records(world: CloudWorld): readonly string[] {
  const ended = world
    .records()
    .filter(
      ({ terminal_state, transitions }) =>
        terminal_state !== null && !/^not launched/.test(transitions.at(-1)?.message ?? ''),
    )
    .map(({ id, platform, terminal_state }) => `${id} ${platform} ${terminal_state}`);
  return [...new Set(ended)].map((line) => `job ${line.replace(/-\S*/, '')}`);
}

/** What is in S3, with the words of texts. */
async function outputs({ results, s3 }: CloudWorld): Promise<readonly string[]> {
  const { accessKey, secretKey } = s3.keys;
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    service: 's3',
    region: 'us-east-1',
  });
  const ask = async (place: string): Promise<string> =>
    (await client.fetch(`${s3.gateway.endpoint}/bkt${place}`)).text();
  const prefix = `${results.replace('s3://bkt/', '')}/`;
  const list = await ask(`?list-type=2&prefix=${encodeURIComponent(prefix)}`);
  const keys = [...list.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = '']) => key);
  return Promise.all(
    keys.map(async (key) => {
      const words = key.endsWith('.txt') ? `: ${(await ask(`/${key}`)).trim().replaceAll('\n', ', ')}` : '';
      return `in S3 ${key
        .slice(prefix.length)
        .replace(/[0-9a-f-]{36}/, '*')
        .replace(/(?<=tfevents\.).*/, '*')}${words}`;
    }),
  );
}

/** What is wrong with an end; empty when nothing is. */
export function differences(outcome: readonly string[], expected: readonly string[]): readonly string[] {
  return [
    ...expected.filter((line) => !outcome.includes(line)).map((line) => `missing: ${line}`),
    ...outcome.filter((line, at) => !expected.includes(line) || outcome.indexOf(line) !== at),
  ];
}

/** What is left of a plan's run and should not be: processes, and secrets in files. */
export async function remains({ cloud, folder, lepton, s3 }: CloudWorld): Promise<readonly string[]> {
  const { root } = cloud.sim;
  for (const deadline = performance.now() + REMAINS_MS; performance.now() < deadline; ) {
    if (worldProcesses(root).length === 0) break;
    await delay(LOOK_MS);
  }
  const processes = worldProcesses(root).map(
    ({ pid, command }) => `left running: ${pid} ${command.slice(0, 200)}`,
  );
  const secrets = [s3.keys.secretKey, lepton.token];
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => secrets.some((secret) => readFileSync(file).includes(secret)))
    .map((file) => `a secret is left in ${path.relative(folder, file)}`);
  return [...processes, ...files];
}
