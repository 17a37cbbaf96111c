import { NETWORKS } from './networks.ts';

/** A TAO command line in its parts. */
export interface TaoCommand {
  network: string;
  action: string;
  spec: string | undefined;
  overrides: string[];
  /** From torchrun's --nproc-per-node; undefined when the spec decides. */
  processes: number | undefined;
  /** A script that torchrun starts by itself: no launcher echoes its output or gives a verdict. */
  direct: boolean;
}

/** Reads `<net> <action> -e SPEC [overrides]`, alone or behind torchrun. */
export function parseCommand(words: string[]): TaoCommand | undefined {
  const [name = '', ...rest] = words;
  if (name === 'torchrun') return parseTorchrun(rest);
  return parseWords(name, rest, undefined);
}

function parseTorchrun(words: string[]): TaoCommand | undefined {
  const rest = [...words];
  let processes = 1;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!word.startsWith('-')) {
      const program = word.slice(word.lastIndexOf('/') + 1);
      if (NETWORKS.has(program)) return parseWords(program, rest, processes);
      // A script of the package itself: …/cv/<net>/scripts/<action>.py
      const script = /([\w-]+)\/scripts\/(\w+)\.py$/.exec(word);
      const [, network = '', action = ''] = script ?? [];
      if (!NETWORKS.has(network)) return undefined;
      return { ...parseWords(network, [action, ...rest], processes), direct: true };
    }
    const [flag = '', inline] = word.split('=');
    if (['--standalone', '-m', '--module', '--no-python', '--no_python'].includes(flag)) continue;
    const value = inline ?? rest.shift() ?? '';
    if (/^--nproc[-_]per[-_]node$/.test(flag)) processes = Number(value) || 1;
  }
  return undefined;
}

function parseWords(network: string, words: string[], processes: number | undefined): TaoCommand {
  const command: TaoCommand = {
    network,
    action: '',
    spec: undefined,
    overrides: [],
    processes,
    direct: false,
  };
  const rest = [...words];
  let folder = '';
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [flag = '', inline] = word.startsWith('--') ? word.split('=') : [word];
    if (flag === '-e' || flag === '--experiment_spec_file') command.spec = inline ?? rest.shift();
    else if (flag === '--config-path') folder = inline ?? rest.shift() ?? '';
    else if (flag === '--config-name') command.spec = `${folder}/${inline ?? rest.shift() ?? ''}`;
    else if (command.action === '' && !word.startsWith('-')) command.action = word;
    else command.overrides.push(word);
  }
  return command;
}
