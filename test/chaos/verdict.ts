import path from 'node:path';
import { type JobRecord, jobRecord } from '../../src/jobs/record.ts';
import { worldProcesses } from './processes.ts';
import { canariesOf, filesWithSecrets } from './secrets.ts';
import type { PlayedJob, Stage } from './stage.ts';
import type { World } from './world.ts';

export function recordOf(world: World, id: string): JobRecord | undefined {
  const text = world.read(path.join(world.desk, 'state/jobs', `${id}.json`));
  return text === '' ? undefined : jobRecord.parse(JSON.parse(text));
}

/** Whether nothing more will come of a job. */
export function isSettled({ world }: Stage, job: PlayedJob): boolean {
  const id = world.jobId(job.plan.key);
  if (id === undefined) return job.answer !== undefined;
  if (job.answer === undefined && !job.orphaned) return false;
  const record = recordOf(world, id);
  const marks = path.join(world.desk, 'jobs', id);
  if (record?.terminal_state != null) return has(path.join(marks, 'told'));
  // the result that nobody knows the end is a result too
  return resultOf(world, id).get('step') === 'lost' && has(path.join(marks, 'told-unknown'));
  function has(file: string): boolean {
    return world.exists(file);
  }
}

function resultOf(world: World, id: string): Map<string, string> {
  const folder = world.remoteFolder(id);
  const text = folder === undefined ? '' : world.read(path.join(folder, 'result'));
  return new Map(
    text.split('\n').map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)] as const),
  );
}

/** What is wrong with a job that has settled; empty when nothing is. */
export function judgeJob(stage: Stage, job: PlayedJob): string[] {
  const { world } = stage;
  const wrong: string[] = [];
  const runs = job.program.runs;
  const starts = runs.filter((line) => line === 'start').length;
  if (starts > 1) wrong.push(`it ran ${starts} times`);
  const id = world.jobId(job.plan.key);
  const record = id === undefined ? undefined : recordOf(world, id);
  if (id === undefined || record === undefined) {
    if (starts > 0) wrong.push('it ran without a record');
    return wrong;
  }
  return [
    ...wrong,
    ...judgeState(stage, job, record),
    ...judgeLog(stage, job, id),
    ...judgeEnds(stage, job, record),
  ];
}

function judgeState(stage: Stage, { plan, program }: PlayedJob, record: JobRecord): string[] {
  const { struck } = stage;
  const wrong: string[] = [];
  const { runs } = program;
  const started = runs.includes('start');
  const ended = runs.find((line) => line.startsWith('end'));
  const state = record.terminal_state ?? record.transitions.at(-1)?.state;
  const words = record.transitions.at(-1)?.message ?? '';
  const say = (what: string): number =>
    wrong.push(`${what}: ${state}, "${words}"; the program noted: ${runs.join(', ')}`);
  const asked = struck.has('cancel');
  const down = struck.has('stop-and-start') || struck.has('reboot');
  switch (state) {
    case 'COMPLETE':
      if (ended !== 'end 0') say('complete, but the program did not end well');
      break;
    case 'CANCELED':
      if (!asked) say('nobody cancelled it');
      break;
    case 'ERROR':
      if (record.err_class === 'ERR_PROGRAM') {
        if (ended === undefined || ended === 'end 0') say('not the fault of the program');
        if (words !== `exit code ${plan.exitCode}`) say('not the exit code');
      } else if (started && !down && !struck.has('docker-down'))
        say('it ran, and nothing was the matter with the machine');
      else if (!started && !mayFailToStart(struck)) say('nothing kept it from running');
      break;
    case 'UNKNOWN':
      if (!struck.has('delete-container') && !(plan.kind === 'command' && struck.has('kill-remote-shell'))) {
        say('somebody could know');
      }
      if (words === '') say('without a reason');
      break;
    default:
      say('no end');
  }
  const lost = asked || down || state === 'UNKNOWN';
  if (ended !== undefined && !lost) {
    const expected = plan.exitCode === 0 ? 'COMPLETE' : 'ERROR';
    if (state !== expected) say('not the end that the program came to');
  }
  if (plan.withSecrets && program.lackedSecrets(...secretsOf(stage))) say('it ran without its secrets');
  return wrong;
}

function secretsOf({ schedule }: Stage): [string, string] {
  const { token, key } = canariesOf(schedule.seed);
  return [token, key];
}

/** Faults after which a job may honestly end without having been run. */
function mayFailToStart(struck: ReadonlySet<string>): boolean {
  return [
    'kill-window',
    'close-window',
    'kill-cli',
    'kill-cli-group',
    'kill-ssh',
    'kill-master',
    'drop-connections',
    'kill-remote-shell',
    'kill-docker-client',
    'replay-exec',
    'freeze-cli',
    'stop-and-start',
    'reboot',
    'delete-container',
    'full-disk',
    'full-local-disk',
    'list-fails',
    'sign-out',
    'docker-down',
    'cancel',
  ].some((kind) => struck.has(kind));
}

function judgeLog({ struck, world }: Stage, job: PlayedJob, id: string): string[] {
  const { plan, program } = job;
  const folder = world.remoteFolder(id);
  if (folder === undefined) return program.runs.length > 0 ? ['its folder is gone'] : [];
  const wrong: string[] = [];
  const remote = Buffer.from(world.read(path.join(folder, 'log')), 'latin1');
  const local = Buffer.from(world.read(path.join(world.desk, 'jobs', id, 'log')), 'latin1');
  // a job that was cancelled during its launch was never followed
  if (
    !local.equals(remote) &&
    !(job.answer === 'cancelled' && remote.subarray(0, local.length).equals(local))
  ) {
    wrong.push(`the local log (${local.length} bytes) is not the remote one (${remote.length} bytes)`);
  }
  if (!program.runs.includes('start')) return wrong;
  const begins = plan.kind === 'command' ? 0 : Number(world.read(path.join(folder, 'run.offset')));
  const said = world.read(path.join(folder, 'docker.said'));
  const output = remote.subarray(begins, remote.length - said.length);
  const expected = program.output;
  // a command writes onto the disk itself, and what doesn't fit is lost to it
  if (plan.kind === 'command' && struck.has('full-disk')) return wrong;
  const whole = program.runs.some((line) => line.startsWith('end')) && !struck.has('delete-container');
  if (whole ? !output.equals(expected) : !expected.subarray(0, output.length).equals(output)) {
    const at = output.findIndex((byte, index) => byte !== expected[index]);
    wrong.push(
      `the log has ${output.length} bytes of the program's ${expected.length}, the first ${at < 0 ? output.length : at} as it should`,
    );
  }
  return wrong;
}

function judgeEnds({ events }: Stage, job: PlayedJob, record: JobRecord): string[] {
  const ends = events.filter((event) => event.kind === 'end' && event.id === record.id);
  const final = ends.filter((event) => event.kind === 'end' && event.state !== 'UNKNOWN').length;
  const answered = job.answer !== undefined && job.answer !== 'ok';
  const expected = record.terminal_state === null ? 0 : 1;
  // who submitted it was told by the answer where it ended with that
  if (final !== expected && !(answered && final === 0)) {
    return [`its end was told ${final} times, not ${expected}`];
  }
  return ends.length - final > 1 ? [`that nobody knows was told ${ends.length - final} times`] : [];
}

/** What is left that should not be: processes, secrets. */
export function judgeRemains({ history, schedule, world }: Stage): string[] {
  const left = worldProcesses(world.root)
    // the master of a killed window ends by itself when it has been idle
    .filter(({ role }) => role !== 'master')
    .map(({ pid, command }) => `left running: ${pid} ${command.slice(0, 200)}`);
  const secrets = filesWithSecrets(world.root, schedule.seed).map((file) => `a secret is left in ${file}`);
  const canary = /cAnArY7Q[^\s]*/.exec(history.join('\n'))?.[0];
  return [...left, ...secrets, ...(canary === undefined ? [] : [`a secret was logged: ${canary}`])];
}
