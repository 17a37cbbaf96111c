// `npm test`: type check, lint, unit, contract and host tests. `npm test -- unit [FILE…]` (or types, lint, contract, host)
// runs one stage; what follows the name goes to it.
import { rmSync } from 'node:fs';
import { runStage, type StageResult } from './run-stage.ts';
import { type Stage, stages } from './stages.ts';
import { temporaryDisk } from './support/temporaryDisk.ts';
import { add, noTests, totalsLine } from './support/totals.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
process.exitCode = await main(process.argv.slice(2));

async function main([name, ...extra]: readonly string[]): Promise<number> {
  const all = await stages(extra);
  const chosen = name ? all.filter((stage) => stage.name === name) : all;
  if (chosen.length === 0) {
    console.log(`No such stage: ${name}. There are ${all.map((stage) => stage.name).join(', ')}`);
    return 2;
  }
  const live = chosen.length === 1;
  const disk = temporaryDisk();
  if (disk !== undefined) process.env.TMPDIR = disk;
  const waiting = [...chosen];
  // Two at a time, the longest first: the host tests wait a lot for a browser and a server.
  const results = (await Promise.all([work(waiting, live), work(waiting, live)])).flat();
  const totals = results.map((result) => result.totals).reduce(add, noTests);
  console.log(totalsLine(totals));
  const good = totals.failed === 0 && !stop.signal.aborted;
  // what went wrong has its pictures and logs there
  if (disk !== undefined && good) rmSync(disk, { recursive: true, force: true, maxRetries: 5 });
  return good ? 0 : 1;
}

async function work(waiting: Stage[], live: boolean): Promise<StageResult[]> {
  const results: StageResult[] = [];
  for (let stage = waiting.shift(); stage && !stop.signal.aborted; stage = waiting.shift()) {
    const result = await runStage(stage, live ? console.log : () => undefined, stop.signal);
    results.push(result);
    const { passed, failed, skipped } = result.totals;
    if (failed > 0 && !live) console.log(`\n${result.output}\n`);
    const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
    console.log(`${failed > 0 ? '✗' : '✓'} ${stage.name}: ${counts} (${result.seconds.toFixed(1)} s)`);
  }
  return results;
}
