// `npm test`: type check, lint, unit, contract and host tests. `npm test -- unit [FILE…]` (or types, lint, contract, host)
// runs one stage; what follows the name goes to it.
import { runStage, type StageResult } from './run-stage.ts';
import { type Stage, stages } from './stages.ts';
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
  const alone = chosen.length === 1;
  // The host tests wait a lot for a browser and a server: beside them the others cost hardly any time.
  const lanes = [
    chosen.filter((stage) => stage.name === 'host'),
    chosen.filter((stage) => stage.name !== 'host'),
  ];
  const results = (await Promise.all(lanes.map((lane) => runLane(lane, alone)))).flat();
  const totals = results.map((result) => result.totals).reduce(add, noTests);
  console.log(totalsLine(totals));
  return totals.failed === 0 && !stop.signal.aborted ? 0 : 1;
}

async function runLane(lane: readonly Stage[], live: boolean): Promise<StageResult[]> {
  const results: StageResult[] = [];
  for (const stage of lane) {
    if (stop.signal.aborted) break;
    const result = await runStage(stage, live ? console.log : () => undefined, stop.signal);
    results.push(result);
    const failed = result.totals.failed > 0;
    if (failed && !live) console.log(`\n${result.output}\n`);
    const counts = `${result.totals.passed} passed, ${result.totals.failed} failed`;
    console.log(
      `${failed ? '✗' : '✓'} ${stage.name}: ${counts}, skipped ${result.totals.skipped} (${result.seconds.toFixed(1)} s)`,
    );
  }
  return results;
}
