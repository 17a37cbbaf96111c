import { DockerFailure } from './failure.ts';
import { HelpAsked } from './flags.ts';

export const VERSION = { number: '28.2.2', build: 'e6534b4' };

type Command = (args: string[]) => Promise<number>;

/** Each command's module is loaded when it is called: every docker call pays for its imports. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  run: async () => (await import('./commands/run.ts')).run,
  create: async () => (await import('./commands/run.ts')).create,
  start: async () => (await import('./commands/start.ts')).start,
  attach: async () => (await import('./commands/start.ts')).attach,
  logs: async () => (await import('./commands/logs.ts')).logs,
  wait: async () => (await import('./commands/wait.ts')).wait,
  stop: async () => (await import('./commands/stop.ts')).stop,
  kill: async () => (await import('./commands/stop.ts')).kill,
  rm: async () => (await import('./commands/rm.ts')).rm,
  ps: async () => (await import('./commands/ps.ts')).ps,
  inspect: async () => (await import('./commands/inspect.ts')).inspect,
  pull: async () => (await import('./commands/pull.ts')).pull,
  images: async () => (await import('./commands/images.ts')).images,
  rmi: async () => (await import('./commands/images.ts')).rmi,
  login: async () => (await import('./commands/login.ts')).login,
  logout: async () => (await import('./commands/login.ts')).logout,
  info: async () => (await import('./commands/info.ts')).info,
  version: async () => (await import('./commands/info.ts')).version,
  exec: async () => (await import('./commands/exec.ts')).exec,
};

const CONTAINER_WORDS = ['run', 'create', 'start', 'attach', 'logs', 'wait', 'stop', 'kill', 'rm', 'exec'];

/** Management commands: `docker container ls` is `docker ps`, and so on. */
const GROUPS: Record<string, Record<string, () => Promise<Command>>> = {
  container: {
    ...Object.fromEntries(Object.entries(COMMANDS).filter(([word]) => CONTAINER_WORDS.includes(word))),
    ...pick('ps', 'ls', 'list', 'ps'),
    inspect: async () => (await import('./commands/inspect.ts')).inspectContainer,
  },
  image: {
    ...pick('pull', 'pull'),
    ...pick('images', 'ls', 'list'),
    ...pick('rmi', 'rm'),
    inspect: async () => (await import('./commands/inspect.ts')).inspectImage,
  },
  manifest: { inspect: async () => (await import('./commands/manifest.ts')).manifestInspect },
  system: {
    ...pick('info', 'info'),
    df: async () => (await import('./commands/info.ts')).diskUsage,
  },
};

/** Commands that docker has and this simulator hasn't: they say so instead of looking unknown. */
const OTHERS =
  'build commit context cp diff events export history import load network pause port plugin push rename restart save search stats swarm tag top trust unpause update volume'.split(
    ' ',
  );

function pick(from: string, ...names: string[]): Record<string, () => Promise<Command>> {
  const load = COMMANDS[from];
  return load === undefined ? {} : Object.fromEntries(names.map((name) => [name, load]));
}

/** Runs one docker command line; returns its exit code. */
export async function main(args: string[]): Promise<number> {
  try {
    return await dispatch(args);
  } catch (error) {
    if (!(error instanceof DockerFailure)) throw error;
    process.stdout.write(error.stdout);
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
}

async function dispatch(args: string[]): Promise<number> {
  const rest = [...args];
  for (;;) {
    const word = rest.shift();
    if (word === undefined || word === '--help' || word === 'help') return usage('docker [OPTIONS] COMMAND');
    if (word === '--version' || word === '-v') {
      process.stdout.write(`Docker version ${VERSION.number}, build ${VERSION.build}\n`);
      return 0;
    }
    if (word === '--config' || word.startsWith('--config=')) {
      process.env.DOCKER_CONFIG = word === '--config' ? rest.shift() : word.slice('--config='.length);
      continue;
    }
    // Global flags that choose a context or a host change nothing here.
    if (['--context', '-c', '--host', '-H', '--log-level', '-l'].includes(word)) {
      rest.shift();
      continue;
    }
    if (/^--(context|host|log-level)=|^(--debug|-D)$/.test(word)) continue;
    if (word.startsWith('-')) {
      throw new DockerFailure(
        `unknown flag: ${word}\n\nUsage:  docker [OPTIONS] COMMAND [ARG...]\n\nRun 'docker --help' for more information`,
        125,
      );
    }
    return await runCommand(word, rest);
  }
}

async function runCommand(word: string, args: string[]): Promise<number> {
  const group = GROUPS[word];
  const [sub] = args;
  if (group !== undefined && (sub === undefined || sub.startsWith('-'))) {
    process.stderr.write(`Usage:  docker ${word} COMMAND\n`);
    return 0;
  }
  const load = group === undefined ? COMMANDS[word] : group[sub ?? ''];
  if (load === undefined) {
    if (group === undefined && OTHERS.includes(word)) {
      throw new DockerFailure(`docker ${word} is not simulated (test/brev-sim/machine/docker/cli.ts)`);
    }
    throw new DockerFailure(
      group === undefined
        ? `docker: unknown command: docker ${word}\n\nRun 'docker --help' for more information`
        : `docker: unknown command: docker ${word} ${sub ?? ''}\n\nUsage:  docker ${word}\n\nRun 'docker ${word} --help' for more information`,
    );
  }
  const command = await load();
  try {
    return await command(group === undefined ? args : args.slice(1));
  } catch (error) {
    if (!(error instanceof HelpAsked)) throw error;
    return usage(`docker ${group === undefined ? word : `${word} ${sub ?? ''}`} [OPTIONS]`);
  }
}

function usage(line: string): number {
  process.stdout.write(`Usage:  ${line}\n`);
  return 0;
}
