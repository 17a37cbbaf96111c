import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { LINE_MARK } from '../support/host-run.ts';

/** VS Code's output: the tests' own lines are printed, all go to a file, and all are printed when verbose. */
export function testOutput(file: string, verbose: boolean, print: (line: string) => void): Writable {
  const log = createWriteStream(file);
  let rest = '';
  const show = (line: string) => {
    const mark = line.indexOf(LINE_MARK);
    if (mark >= 0) print(line.slice(mark + LINE_MARK.length));
    else if (verbose) print(line);
  };
  return new Writable({
    decodeStrings: false,
    write(chunk: Buffer | string, _encoding, done) {
      rest += chunk.toString();
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(show);
      log.write(chunk, done);
    },
    final(done) {
      if (rest) show(rest);
      log.end(done);
    },
  });
}
