import type { PanelJob } from '../../src/ui/jobPanel/protocol.ts';

/** All curves as one table: job, curve, axis, x, y. */
export function toCsv(jobs: readonly PanelJob[]): string {
  const lines = ['job,curve,axis,x,y'];
  for (const job of jobs) {
    for (const { name, axis, x, y } of job.series) {
      for (const [index, at] of x.entries()) {
        lines.push(
          [job.id, name, axis, String(at), y[index] === null ? '' : String(y[index])].map(cell).join(','),
        );
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

function cell(text: string): string {
  // a spreadsheet would run a text that begins like a formula
  const safe = /^[=+@-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
