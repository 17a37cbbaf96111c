import { join } from 'node:path';
import { fixedTime, parseMoment } from '../clock.ts';
import { connectRunner, openSession } from '../control.ts';
import { engineError } from '../failure.ts';
import { requireEngine } from '../faults.ts';
import { commandLine, type ParsedLine, parseLine } from '../flags.ts';
import { LogReader, onLogChange } from '../log-reader.ts';
import { encodingOf, type LogEncoding, type LogEntry, type Stream } from '../output-log.ts';
import { machineFolder, requireContainer } from '../store.ts';
import { needWords } from '../words.ts';

/** `docker logs`: what is stored, entry by entry, each on its own stream; `--follow` ends with the container. */
export async function logs(args: string[]): Promise<number> {
  const line = parseLine(
    commandLine('logs', '[OPTIONS] CONTAINER', 'details f,follow since= n,tail= t,timestamps until='),
    args,
  );
  needWords(line, 1, 1);
  const machine = machineFolder();
  const [word = ''] = line.words;
  await requireEngine(machine, `/containers/${word}/json`);
  const container = await requireContainer(machine, word);
  if (container.config.logDriver === 'none') {
    throw engineError('configured logging driver does not support reading');
  }
  const path = join(container.dir, 'log.json');
  const reader = new LogReader(path);
  const printer = new Printer(line, encodingOf(container.config.logDriver));
  // Connected before the first read, so that the end can't fall between the two.
  const socket =
    line.on('follow') && container.state.status === 'running'
      ? await connectRunner(container.config.id)
      : undefined;
  printer.printLast([...reader.readStored()].flat(), tailOf(line));
  if (socket === undefined) return 0;
  const session = openSession(socket, { op: 'wait' });
  const stop = onLogChange(path, () => printer.printAll(reader.readMore()));
  await session.exit;
  stop();
  printer.printAll(reader.readMore());
  socket.destroy();
  return 0;
}

function tailOf(line: ParsedLine): number {
  const text = line.value('tail') ?? 'all';
  // Docker takes anything that is no number as "all".
  return /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
}

class Printer {
  private readonly timestamps: boolean;
  private readonly since: string;
  private readonly until: string;
  private readonly encoding: LogEncoding;

  constructor(line: ParsedLine, encoding: LogEncoding) {
    this.encoding = encoding;
    this.timestamps = line.on('timestamps');
    this.since = momentOf(line, 'since') ?? '';
    this.until = momentOf(line, 'until') ?? '~';
  }

  /** `--since` is inclusive: reading on from the last time seen repeats its entries (contract part 6). */
  private wanted({ time }: LogEntry): boolean {
    return time >= this.since && time <= this.until;
  }

  printLast(entries: LogEntry[], count: number): void {
    const wanted = entries.filter((entry) => this.wanted(entry));
    this.print(count === 0 ? [] : wanted.slice(count === Number.POSITIVE_INFINITY ? 0 : -count));
  }

  printAll(batches: Iterable<LogEntry[]>): void {
    for (const batch of batches) this.print(batch.filter((entry) => this.wanted(entry)));
  }

  private print(entries: LogEntry[]): void {
    const texts: Record<Stream, string[]> = { stdout: [], stderr: [] };
    for (const { log, stream, time } of entries) {
      texts[stream].push(this.timestamps ? `${time} ${log}` : log);
    }
    if (texts.stdout.length > 0) process.stdout.write(texts.stdout.join(''), this.encoding);
    if (texts.stderr.length > 0) process.stderr.write(texts.stderr.join(''), this.encoding);
  }
}

function momentOf(line: ParsedLine, name: string): string | undefined {
  const text = line.value(name);
  if (text === undefined || text === '') return undefined;
  const moment = parseMoment(text);
  if (moment === undefined)
    throw engineError(`invalid value for "${name}": failed to parse value as time or duration: "${text}"`);
  return fixedTime(moment);
}
