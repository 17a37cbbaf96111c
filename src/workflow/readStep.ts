import { parseS3Path } from '../storage/s3Path.ts';
import type { Place } from '../tao/spec/place.ts';
import { type Message, message } from '../values/message.ts';
import type { PlanProblem, Step, StepInput, StepInstance, StepOutput, StepWork } from './plan.ts';
import { durationMs, type PlanInFile, type StepInFile } from './planFile.ts';
import type { PlanContext } from './readPlan.ts';
import { lookUpSkill, type SkillRun } from './skillRuns.ts';

/** Where the parts of a step stand. */
export interface StepPlaces {
  readonly whole: Place;
  readonly of: (...keys: readonly PropertyKey[]) => Place;
  readonly keyOf: (...keys: readonly PropertyKey[]) => Place;
}

export interface StepDraft {
  readonly raw: StepInFile;
  readonly at: StepPlaces;
  readonly step: Step;
  readonly problems: readonly PlanProblem[];
}

interface Reading {
  readonly raw: StepInFile;
  readonly at: StepPlaces;
  readonly plan: PlanInFile;
  readonly earlier: readonly StepDraft[];
  readonly context: PlanContext;
}

/** What TAO writes when nothing else is said, in containers of every platform. */
export const RESULTS = '/results';
/** A step that names none gets it as its default: what Lepton calls a node with so many H100s. */
const LEPTON_GPU = 'xh100-80gb';
const CPU_SHAPE = 'cpu.large';
const MAX_BREV_GPUS = 8;
const MAX_NODE_GPUS = 8;

/** Reads one step; what it uses of others must come before it. */
export async function readStep(reading: Reading): Promise<StepDraft> {
  const { at, context, plan, raw } = reading;
  const problems: PlanProblem[] = [];
  const skill = raw.skill ?? '';
  const action = raw.action ?? (raw.command === undefined ? 'train' : 'run');
  const name = raw.name ?? cleanName(skill === '' ? 'step' : `${skill}-${action}`);
  const add = (severity: PlanProblem['severity'], problem: Message, place: Place): void => {
    problems.push({ severity, problem, place, step: name });
  };

  const trouble = context.platformTrouble(raw.platform);
  if (trouble !== undefined) {
    add('warning', trouble, at.of('platform'));
  }
  const run = skillRun(reading, action, add);
  const work = await stepWork(reading, action, run, add);
  const gpus = raw.gpus ?? (raw.command === undefined ? (run?.gpus ?? 'all') : 'all');
  const nodes = raw.nodes ?? 1;
  checkSize(raw, at, gpus, nodes, add);
  const instance = stepInstance(reading, add);
  const outputs = stepOutputs(raw, at, plan, name, add);
  const inputs = stepInputs(reading, name, add);
  const machineOf = instance?.kind === 'reuse' ? [instance.step] : [];
  const said = raw.needs === undefined ? [] : typeof raw.needs === 'string' ? [raw.needs] : raw.needs;
  const implied = inputs.flatMap(({ writtenBy }) => (writtenBy === undefined ? [] : [writtenBy]));
  return {
    raw,
    at,
    problems,
    step: {
      name,
      place: at.whole,
      skill: skill === '' ? 'command' : skill,
      action,
      platform: raw.platform,
      needs: [...new Set([...said, ...implied, ...machineOf])],
      work,
      gpus: raw.platform === 'lepton' || gpus === 'all' ? gpus : Math.min(gpus, MAX_BREV_GPUS),
      nodes,
      instance,
      shape: raw.platform === 'lepton' ? (raw.shape ?? defaultShape(gpus)) : undefined,
      nodeGroup: raw.nodeGroup,
      inputs,
      outputs,
      pullSecrets: raw.pullSecrets ?? [],
      env: raw.env ?? [],
      timeoutMs: raw.timeout === undefined ? undefined : durationMs(raw.timeout),
      retries: raw.retries ?? 0,
      skipIfOutputExists: raw.skipIfOutputExists ?? plan.skipIfOutputExists ?? false,
    },
  };
}

type Add = (severity: PlanProblem['severity'], problem: Message, place: Place) => void;

function skillRun({ at, context, raw }: Reading, action: string, add: Add): SkillRun | undefined {
  if (raw.command !== undefined && raw.spec !== undefined) {
    add('error', message('A step runs a command or a spec, not both.'), at.keyOf('spec'));
  }
  if (raw.skill === undefined) {
    if (raw.command === undefined) {
      add('error', message('The step does not say what it runs: give it a skill, or a command.'), at.whole);
    }
    return undefined;
  }
  const look = lookUpSkill(context.catalogue, raw.skill, action);
  switch (look.kind) {
    case 'known':
      if (look.run.image === undefined && raw.image === undefined && raw.command === undefined) {
        add(
          'error',
          message('It is not known which image {0} runs in. Give the step an image.', raw.skill),
          at.of('skill'),
        );
      }
      return look.run;
    case 'unknownSkill':
      if (raw.command === undefined) {
        add(
          'error',
          message(
            'The skill {0} is not known here, so it is not known what it runs. Give the step a command (and an image), or correct the name.',
            raw.skill,
          ),
          at.of('skill'),
        );
      }
      return undefined;
    case 'unknownAction':
      if (raw.command === undefined) {
        add(
          'error',
          message('{0} has no action {1}; it has {2}.', raw.skill, action, look.actions.join(', ')),
          raw.action === undefined ? at.of('skill') : at.of('action'),
        );
      }
      return undefined;
    case 'notByItself':
      if (raw.command === undefined) {
        add(
          'error',
          message(
            '{0} {1} needs a command line of its own. Give the step a command and an image.',
            raw.skill,
            action,
          ),
          raw.action === undefined ? at.of('skill') : at.of('action'),
        );
      }
      return undefined;
  }
}

async function stepWork(
  { at, context, raw }: Reading,
  action: string,
  run: SkillRun | undefined,
  add: Add,
): Promise<StepWork> {
  if (raw.command !== undefined) {
    if (raw.image === undefined && raw.platform !== 'brev') {
      add(
        'error',
        message('A command on {0} runs in a container: give the step an image.', raw.platform),
        at.of('command'),
      );
    }
    return { kind: 'command', command: raw.command, image: raw.image };
  }
  const usual = `${raw.skill ?? 'step'}-${action}.yaml`;
  const specFiles: readonly [string, ...string[]] =
    raw.spec === undefined ? [`specs/${usual}`, usual] : [raw.spec];
  if (run !== undefined && !(await anyExists(specFiles, context.fileExists))) {
    add(
      'warning',
      raw.spec === undefined
        ? message(
            'The step has no spec, and there is no {0} beside the plan. Make it, or name another spec.',
            usual,
          )
        : message('There is no spec file {0} beside the plan.', raw.spec),
      raw.spec === undefined ? at.of('skill') : at.of('spec'),
    );
  }
  return {
    kind: 'spec',
    network: run?.network ?? raw.skill ?? '',
    action: run?.action ?? action,
    image: raw.image ?? run?.image ?? '',
    specFiles,
  };
}

async function anyExists(
  files: readonly string[],
  exists: (file: string) => Promise<boolean>,
): Promise<boolean> {
  for (const file of files) {
    if (await exists(file)) {
      return true;
    }
  }
  return false;
}

function checkSize(raw: StepInFile, at: StepPlaces, gpus: 'all' | number, nodes: number, add: Add): void {
  if (raw.platform === 'lepton') {
    if (raw.instance !== undefined) {
      add('error', message('Lepton has no instances. Give the step a shape instead.'), at.keyOf('instance'));
    }
    if (raw.shape === undefined && gpus !== 'all' && gpus > MAX_NODE_GPUS) {
      add(
        'error',
        message('A node has up to {0} GPUs. Take more nodes, or name a shape.', MAX_NODE_GPUS),
        at.of('gpus'),
      );
    }
    return;
  }
  if (nodes > 1) {
    add(
      'error',
      message(
        'A Brev instance is one machine, so a step on it has one node. Run it on lepton for {0} nodes.',
        nodes,
      ),
      at.of('nodes'),
    );
  }
  if (gpus !== 'all' && gpus > MAX_BREV_GPUS) {
    add(
      'error',
      message('A Brev instance has up to {0} GPUs. Run the step on lepton for more.', MAX_BREV_GPUS),
      at.of('gpus'),
    );
  }
  for (const key of ['shape', 'nodeGroup', 'pullSecrets'] as const) {
    if (raw[key] !== undefined) {
      add('error', message('{0} is for steps on lepton.', key), at.keyOf(key));
    }
  }
}

function stepInstance({ at, earlier, raw }: Reading, add: Add): StepInstance | undefined {
  const { instance } = raw;
  if (raw.platform === 'lepton') {
    return undefined;
  }
  if (instance === undefined || instance === 'new') {
    return { kind: 'new', types: [] };
  }
  if (typeof instance === 'string') {
    return { kind: 'existing', instance };
  }
  if ('new' in instance) {
    return { kind: 'new', types: typeof instance.new === 'string' ? [instance.new] : instance.new };
  }
  const other = earlier.find(({ step }) => step.name === instance.of)?.step;
  if (other?.instance === undefined) {
    add(
      'error',
      other === undefined
        ? message(
            '{0} does not come before this step, so it has no instance that could be used again.',
            instance.of,
          )
        : message('{0} runs on Lepton, so it has no instance that could be used again.', instance.of),
      at.of('instance'),
    );
    return { kind: 'new', types: [] };
  }
  switch (other.instance.kind) {
    case 'existing':
      return other.instance;
    case 'new':
      return { kind: 'reuse', step: other.name, owner: other.name };
    case 'reuse':
      return { kind: 'reuse', step: other.name, owner: other.instance.owner };
  }
}

function stepOutputs(
  raw: StepInFile,
  at: StepPlaces,
  plan: PlanInFile,
  name: string,
  add: Add,
): readonly StepOutput[] {
  const { outputs } = raw;
  if (outputs === undefined) {
    if (plan.results === undefined) {
      return [];
    }
    const uri = `${plan.results.replace(/\/+$/, '')}/${name}/`;
    const problem = s3Problem(uri);
    if (problem !== undefined) {
      add('error', problem, at.whole);
    }
    return [{ path: RESULTS, uri, kind: 'folder' }];
  }
  const pairs = typeof outputs === 'string' ? [[RESULTS, outputs] as const] : Object.entries(outputs);
  return pairs.map(([path, uri]): StepOutput => {
    const place = typeof outputs === 'string' ? at.of('outputs') : at.of('outputs', path);
    const problem = s3Problem(uri);
    if (problem !== undefined) {
      add('error', problem, place);
    }
    const cleanPath = path.replace(/(?<=.)\/+$/, '');
    if (!isContainerPath(cleanPath)) {
      add('error', notAPath(path), place);
    } else if (raw.platform !== 'lepton' && cleanPath !== RESULTS) {
      add(
        'error',
        message('On Brev a step leaves its outputs in {0}, and they are saved together.', RESULTS),
        place,
      );
    }
    const kind = cleanPath === RESULTS || uri.endsWith('/') ? 'folder' : 'file';
    return { path: cleanPath, uri: kind === 'folder' && !uri.endsWith('/') ? `${uri}/` : uri, kind };
  });
}

function stepInputs({ at, earlier, raw }: Reading, name: string, add: Add): readonly StepInput[] {
  return Object.entries(raw.inputs ?? {}).flatMap(([path, from]): readonly StepInput[] => {
    const place = at.of('inputs', path);
    const cleanPath = path.replace(/(?<=.)\/+$/, '');
    if (!isContainerPath(cleanPath)) {
      add('error', notAPath(path), place);
      return [];
    }
    if (/^s3:|:\/\//.test(from)) {
      const problem = s3Problem(from);
      if (problem !== undefined) {
        add('error', problem, place);
        return [];
      }
      const writer = earlier.find(({ step }) =>
        step.outputs.some(({ kind, uri }) => from === uri || (kind === 'folder' && from.startsWith(uri))),
      );
      return [
        {
          path: cleanPath,
          uri: from,
          writtenBy: writer?.step.name,
          kind: from.endsWith('/') ? 'folder' : 'file',
        },
      ];
    }
    // `step`, or `step:/path` where it has several outputs
    const [stepName = '', outputPath] = from.split(':');
    const other = earlier.find(({ step }) => step.name === stepName)?.step;
    if (other === undefined) {
      add(
        'error',
        message('{0} uses the output of {1}, which does not come before it.', name, stepName),
        place,
      );
      return [];
    }
    const output =
      outputPath === undefined
        ? other.outputs.length === 1
          ? other.outputs[0]
          : undefined
        : other.outputs.find((each) => each.path === outputPath.replace(/(?<=.)\/+$/, ''));
    if (output === undefined) {
      add(
        'error',
        other.outputs.length === 0
          ? message(
              '{0} has no outputs that {1} could use. Give it outputs, or the plan a place for results.',
              stepName,
              name,
            )
          : message(
              '{0} has these outputs: {1}',
              stepName,
              other.outputs.map((each) => `${stepName}:${each.path}`).join(', '),
            ),
        place,
      );
      return [];
    }
    return [{ path: cleanPath, uri: output.uri, writtenBy: stepName, kind: output.kind }];
  });
}

/** Absolute, without what a shell or a mount would read otherwise. */
function isContainerPath(path: string): boolean {
  return /^\/[^\0\n:]+$/.test(path) && !path.split('/').includes('..');
}

function notAPath(path: string): Message {
  return message('{0} is no path in a container: it begins with /, such as /data/train.', path);
}

function s3Problem(uri: string): Message | undefined {
  const reading = parseS3Path(uri);
  if (reading.kind === 'path') {
    return undefined;
  }
  switch (reading.problem) {
    case 'notS3':
      return message('{0} is no path in S3: it begins with s3://.', uri);
    case 'noBucket':
    case 'bucketName':
      return message('{0} names no bucket that S3 could have.', uri);
    case 'noKey':
      return message('{0} is a whole bucket. Name a folder in it.', uri);
    case 'key':
      return message('{0} has a part that cannot be asked for in S3.', uri);
  }
}

function defaultShape(gpus: 'all' | number): string {
  return gpus === 0 ? CPU_SHAPE : `gpu.${gpus === 'all' ? MAX_NODE_GPUS : gpus}${LEPTON_GPU}`;
}

/** A name by default, out of what a skill and an action may be called. */
function cleanName(text: string): string {
  return (
    text
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 40) || 'step'
  );
}
