import type { TestEvent } from 'node:test/reporters';
import { inspect, stripVTControlCharacters } from 'node:util';
import { totalsLine } from './totals.ts';

/** A reporter for `node --test` that prints the failures in full, and last the line of totals. */
// biome-ignore lint/style/noDefaultExport: how node --test takes a reporter.
export default async function* failures(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type === 'test:fail') {
      const { name, file, line, details } = event.data;
      const { error } = details;
      // A suite fails with its tests, which were reported already.
      if ('failureType' in error && error.failureType === 'subtestsFailed') continue;
      const where = file ? `${file}:${line ?? ''}` : '';
      yield `\nFAILED ${name} (${where})\n${stripVTControlCharacters(inspect(error.cause ?? error, { depth: 6 }))}\n`;
    } else if (event.type === 'test:stderr' || event.type === 'test:stdout') {
      yield event.data.message;
    } else if (event.type === 'test:summary' && event.data.file === undefined) {
      const { tests, passed, skipped, todo } = event.data.counts;
      yield `${totalsLine({ passed, failed: tests - passed - skipped - todo, skipped: skipped + todo })}\n`;
    }
  }
}
