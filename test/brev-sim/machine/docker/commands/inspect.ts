import { DockerFailure, engineError } from '../failure.ts';
import { requireEngine } from '../faults.ts';
import { commandLine, parseLine } from '../flags.ts';
import { findImage, parseReference } from '../images.ts';
import { inspectContainerView, inspectImageView } from '../inspect-view.ts';
import { findContainer, machineFolder } from '../store.ts';
import { compileTemplate } from '../template.ts';
import { needWords } from '../words.ts';

type Lookup = (machine: string, word: string) => Promise<Record<string, unknown>>;

async function lookContainer(machine: string, word: string): Promise<Record<string, unknown>> {
  const container = await findContainer(machine, word);
  if (container === undefined) throw engineError(`No such container: ${word}`);
  return inspectContainerView(container);
}

async function lookImage(machine: string, word: string): Promise<Record<string, unknown>> {
  const image = findImage(machine, word);
  if (image === undefined) throw engineError(`No such image: ${parseReference(word).familiar}`);
  return inspectImageView(image);
}

async function lookAny(machine: string, word: string): Promise<Record<string, unknown>> {
  for (const look of [lookContainer, lookImage]) {
    try {
      return await look(machine, word);
    } catch (error) {
      if (!(error instanceof DockerFailure)) throw error;
    }
  }
  throw new DockerFailure(`Error: No such object: ${word}`);
}

/** `docker inspect`: containers and images by any name. */
export async function inspect(args: string[]): Promise<number> {
  const line = commandLine('inspect', '[OPTIONS] NAME|ID [NAME|ID...]', 'f,format= s,size type=');
  const type = parseLine(line, args).value('type') ?? '';
  if (!['', 'container', 'image'].includes(type)) {
    throw new DockerFailure(
      `unknown type: "${type}": must be one of "config", "container", "image", "network", "node", "plugin", "secret", "service", "task", "volume"`,
    );
  }
  const look = type === 'container' ? lookContainer : type === 'image' ? lookImage : lookAny;
  return await inspectWith(look, 'inspect', args);
}

export async function inspectContainer(args: string[]): Promise<number> {
  return await inspectWith(lookContainer, 'container inspect', args);
}

export async function inspectImage(args: string[]): Promise<number> {
  return await inspectWith(lookImage, 'image inspect', args);
}

async function inspectWith(look: Lookup, command: string, args: string[]): Promise<number> {
  const line = parseLine(
    commandLine(command, '[OPTIONS] NAME|ID [NAME|ID...]', 'f,format= s,size type= platform='),
    args,
  );
  needWords(line, 1);
  const machine = machineFolder();
  const format = line.value('format');
  const template = format === undefined || format === 'json' ? undefined : compile(format);
  // With a template docker prints an empty line where there is nothing to show, else an empty list.
  const nothing = template === undefined ? '[]\n' : '\n';
  await requireEngineForEach(machine, line.words, nothing);
  const found: Record<string, unknown>[] = [];
  const missing: string[] = [];
  for (const word of line.words) {
    try {
      found.push(await look(machine, word));
    } catch (error) {
      if (!(error instanceof DockerFailure)) throw error;
      missing.push(error.message);
    }
  }
  const output =
    template === undefined
      ? asJson(found, format)
      : found.map((item) => `${render(template, item)}\n`).join('');
  const stdout = found.length === 0 ? nothing : output;
  if (missing.length > 0) throw new DockerFailure(missing.join('\n'), 1, stdout);
  process.stdout.write(stdout);
  return 0;
}

/** Without an engine each word has its own complaint. */
async function requireEngineForEach(machine: string, words: string[], stdout: string): Promise<void> {
  try {
    await requireEngine(machine, `/containers/${words[0] ?? ''}/json`, stdout);
  } catch (error) {
    if (!(error instanceof DockerFailure)) throw error;
    throw new DockerFailure(words.map(() => error.message).join('\n'), 1, stdout);
  }
}

function asJson(found: unknown[], format: string | undefined): string {
  if (format === 'json') return `${JSON.stringify(found)}\n`;
  return `${JSON.stringify(found, null, 4)}\n`;
}

/** An unreadable template is rc 64, as docker 28 has it. */
function compile(format: string): (root: unknown) => string {
  try {
    return compileTemplate(format);
  } catch (error) {
    if (!(error instanceof DockerFailure)) throw error;
    throw new DockerFailure(`template parsing error: ${error.message}`, 64);
  }
}

function render(template: (root: unknown) => string, item: unknown): string {
  try {
    return template(item);
  } catch (error) {
    if (!(error instanceof DockerFailure)) throw error;
    throw new DockerFailure(`template parsing error: ${error.message}`, 1, '\n');
  }
}
