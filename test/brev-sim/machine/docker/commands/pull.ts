import { requireEngine } from '../faults.ts';
import { commandLine, parseLine } from '../flags.ts';
import { parseReference } from '../images.ts';
import { pullImage } from '../pull-image.ts';
import { machineFolder } from '../store.ts';
import { needWords } from '../words.ts';

/** `docker pull`: progress on stdout, then the image's full name. */
export async function pull(args: string[]): Promise<number> {
  const line = parseLine(
    commandLine('pull', '[OPTIONS] NAME[:TAG|@DIGEST]', 'a,all-tags disable-content-trust platform= q,quiet'),
    args,
  );
  needWords(line, 1, 1);
  const [word = ''] = line.words;
  const reference = parseReference(word);
  const machine = machineFolder();
  await requireEngine(machine, '/images/create');
  const print = (text: string): void => {
    if (!line.on('quiet')) process.stdout.write(text);
  };
  if (reference.tag === 'latest' && !word.includes(':')) print('Using default tag: latest\n');
  await pullImage(machine, reference, print);
  const tail = reference.digest === '' ? `:${reference.tag}` : `@${reference.digest}`;
  process.stdout.write(`${reference.domain}/${reference.path}${tail}\n`);
  return 0;
}
