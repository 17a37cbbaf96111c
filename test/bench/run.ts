// npm run bench: every figure against its peer in the same run, as a table; with --json as JSON on stdout.
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Figure } from './figure.ts';

const json = process.argv.includes('--json');
const only = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const figures: Figure[] = [];
for await (const file of glob('*.bench.ts', { cwd: import.meta.dirname })) {
  if (only.length > 0 && !only.some((name) => file.includes(name))) {
    continue;
  }
  process.stderr.write(`${file}\n`);
  const module: { measure(report: (figure: Figure) => void): Promise<void> } = await import(
    pathToFileURL(path.join(import.meta.dirname, file)).href
  );
  await module.measure((figure) => {
    figures.push(figure);
    process.stderr.write(`  ${figure.name}: ${figure.value} ${figure.unit}\n`);
  });
}
if (json) {
  console.log(JSON.stringify({ results: figures }));
} else {
  console.table(
    figures.map(({ name, unit, value, peer, ratio, goal, met }) => ({
      name,
      value: `${value} ${unit}`,
      peer: peer ?? '',
      ratio: ratio ?? '',
      goal: goal ?? '',
      met: met ?? '',
    })),
  );
}
process.exitCode = figures.some(({ met }) => met === false) ? 1 : 0;
