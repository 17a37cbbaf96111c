import { type Instance, isOn } from '../instances/instance.ts';
import { LeptonClient } from '../platforms/lepton/client.ts';
import { tellTrouble } from '../preflight/launch/s3Trouble.ts';
import { checkS3Bucket, checkS3Path, type S3Credentials } from '../storage/s3.ts';
import { parseSpec } from '../tao/spec/specDocument.ts';
import { type Message, message } from '../values/message.ts';
import type { Outcome } from '../values/outcome.ts';
import type { Step } from './plan.ts';
import type { PlanWorldOptions } from './planWorld.ts';
import { noKeys, pathOf } from './s3Places.ts';
import { leptonSecrets } from './stepJob.ts';
import type { StepCheck } from './world.ts';

interface Checking extends PlanWorldOptions {
  readonly instance: (nameOrId: string) => Promise<Outcome<Instance>>;
  readonly types: (step: Step) => Promise<Outcome<readonly string[]>>;
  readonly spec: (step: Step) => Promise<Outcome<{ content: Uint8Array } | undefined>>;
}

type Line = Omit<StepCheck, 'step'>;

const LEPTON_CALL_MS = 20_000;

/** What could keep a step from running: where it runs, what it reads and writes, what it must be told. */
export async function checkStep(
  step: Step,
  checking: Checking,
  signal: AbortSignal,
): Promise<readonly StepCheck[]> {
  const groups = await Promise.all([
    spec(step, checking),
    step.platform === 'lepton' ? lepton(step, checking, signal) : brev(step, checking),
    step.platform === 'brev-sdk' ? sdk(checking, signal) : [],
    inS3(step, checking, signal),
    variables(step, checking),
    registry(step, checking),
  ]);
  return groups.flat().map((line) => ({ ...line, step: step.name }));
}

async function spec(step: Step, checking: Checking): Promise<readonly Line[]> {
  const found = await checking.spec(step);
  if (found.kind !== 'ok') {
    return [line('failed', sentenceOf(found))];
  }
  if (found.value === undefined) {
    return [];
  }
  const parsed = await parseSpec(found.value.content);
  return parsed.kind === 'unreadable' ? [line('failed', parsed.faults[0].problem)] : [];
}

async function brev(step: Step, checking: Checking): Promise<readonly Line[]> {
  switch (step.instance?.kind) {
    case 'existing': {
      const found = await checking.instance(step.instance.instance);
      if (found.kind !== 'ok') {
        return [line('failed', sentenceOf(found))];
      }
      const { name, reported } = found.value;
      return [
        isOn(found.value)
          ? line('passed', message('It runs on {0}, which is on.', name))
          : line('failed', message('{0} is {1}. Start it first.', name, reported.status)),
      ];
    }
    case 'new': {
      const listed = await checking.store.refresh();
      if (listed.kind !== 'ok') {
        return [line('failed', sentenceOf(listed))];
      }
      const types = await checking.types(step);
      return [
        types.kind === 'ok'
          ? line('passed', message('A new instance is made for it: {0}', types.value.join(', ')))
          : line('failed', sentenceOf(types)),
      ];
    }
    case 'reuse':
      return [line('passed', message('It runs on the instance of {0}.', step.instance.owner))];
    case undefined:
      return [];
  }
}

async function sdk(checking: Checking, signal: AbortSignal): Promise<readonly Line[]> {
  const trouble = await checking.sdkTrouble(signal);
  return trouble === undefined ? [] : [line('failed', trouble)];
}

async function lepton(step: Step, checking: Checking, signal: AbortSignal): Promise<readonly Line[]> {
  const reading = await checking.lepton();
  switch (reading.kind) {
    case 'absent':
      return [
        line(
          'failed',
          message('Lepton is not set up: LEPTON_WORKSPACE_ID and LEPTON_WORKSPACE_TOKEN are not set.'),
        ),
      ];
    case 'unusable':
      return [line('failed', reading.sentence)];
    case 'ok':
      break;
  }
  const client = new LeptonClient({
    account: reading.account,
    fetch: checking.fetch ?? globalThis.fetch,
    timeoutMs: LEPTON_CALL_MS,
  });
  const groups = step.nodeGroup === undefined ? undefined : await client.nodeGroups(signal);
  if (groups !== undefined && groups.kind !== 'ok') {
    return [line('failed', sentenceOf(groups))];
  }
  if (step.nodeGroup !== undefined && groups?.value.includes(step.nodeGroup) === false) {
    return [
      line(
        'failed',
        message('Lepton has no node group {0}. It has: {1}', step.nodeGroup, groups.value.join(', ')),
      ),
    ];
  }
  const secrets = await client.secretNames(signal);
  if (secrets.kind !== 'ok') {
    return [line('failed', sentenceOf(secrets))];
  }
  const missing = leptonSecrets(step).filter((name) => !secrets.value.includes(name));
  if (missing.length > 0) {
    return [
      line(
        'failed',
        message('The Lepton workspace has no secrets {0}. Make them there.', missing.join(', ')),
      ),
    ];
  }
  const shapes = await client.shapes(step.nodeGroup, signal);
  if (shapes.kind !== 'ok') {
    return [line('failed', sentenceOf(shapes))];
  }
  const ids = shapes.value.map(({ id }) => id);
  return [
    ids.includes(step.shape ?? '')
      ? line('passed', message('Lepton has the shape {0}.', step.shape ?? ''))
      : line(
          'failed',
          message('Lepton has no shape {0} here. It has: {1}', step.shape ?? '', ids.join(', ')),
        ),
  ];
}

async function inS3(step: Step, checking: Checking, signal: AbortSignal): Promise<readonly Line[]> {
  if (step.inputs.length + step.outputs.length === 0) {
    return [];
  }
  const credentials = await checking.s3();
  if (credentials === undefined) {
    return [line('failed', noKeys().message)];
  }
  const lines = await Promise.all([
    // what an earlier step writes can't be there yet
    ...step.inputs
      .filter(({ writtenBy }) => writtenBy === undefined)
      .map(({ uri }) => input(uri, credentials, checking, signal)),
    ...step.outputs.map(({ uri }) => output(uri, credentials, checking, signal)),
  ]);
  return lines.flat();
}

async function input(
  uri: string,
  credentials: S3Credentials,
  { fetch }: Checking,
  signal: AbortSignal,
): Promise<readonly Line[]> {
  const path = pathOf(uri);
  const found = await checkS3Path(path, credentials, signal, fetch);
  switch (found.kind) {
    case 'object':
    case 'folder':
      return [];
    case 'missing':
      return [line('failed', message('There is nothing at {0}.', uri))];
    case 'archived':
      return [line('failed', message('{0} is archived. Restore it first.', uri))];
    default:
      return [line('failed', tellTrouble(found, path.bucket, 1).sentence)];
  }
}

async function output(
  uri: string,
  credentials: S3Credentials,
  { fetch }: Checking,
  signal: AbortSignal,
): Promise<readonly Line[]> {
  const path = pathOf(uri);
  const found = await checkS3Bucket(path, credentials, signal, fetch);
  switch (found.kind) {
    case 'reachable':
      return [];
    // keys that may only write can't list
    case 'accessDenied':
      return [line('warning', tellTrouble(found, path.bucket, 1).sentence)];
    default:
      return [line('failed', tellTrouble(found, path.bucket, 1).sentence)];
  }
}

async function variables(step: Step, checking: Checking): Promise<readonly Line[]> {
  // on Lepton they are the workspace's
  const missing: string[] = [];
  for (const name of step.platform === 'lepton' ? [] : step.env) {
    if ((await checking.variable(name)) === undefined) {
      missing.push(name);
    }
  }
  return missing.length === 0 ? [] : [line('failed', message('{0} is not set.', missing.join(', ')))];
}

async function registry({ platform, work }: Step, checking: Checking): Promise<readonly Line[]> {
  if (platform === 'lepton' || work.image?.startsWith('nvcr.io/') !== true) {
    return [];
  }
  return (await checking.secrets()).ngcKey === undefined
    ? [line('warning', message('NGC_KEY is not set, and {0} may need it.', work.image))]
    : [];
}

function sentenceOf(outcome: Exclude<Outcome<unknown>, { kind: 'ok' }>): Message {
  return outcome.kind === 'failed' ? outcome.failure.message : message('Not checked.');
}

function line(state: Line['state'], sentence: Message): Line {
  return { state, sentence };
}
