import { compileTemplate } from './template.ts';

/** Pads columns as docker's tabwriter does: at least 20 wide, three spaces between. */
export function layTable(rows: string[][]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      const last = column === row.length - 1;
      if (!last) widths[column] = Math.max(widths[column] ?? 0, cell.length + 3, 0);
    }
  }
  return rows
    .map((row) =>
      row.map((cell, column) => cell.padEnd(column === row.length - 1 ? 0 : (widths[column] ?? 0))).join(''),
    )
    .join('\n');
}

/** Renders rows by `--format`: `json`, `table …`, a template, or the command's own table. */
export function formatRows(
  rows: Record<string, unknown>[],
  format: string | undefined,
  defaults: { columns: Record<string, string>; type: string },
): string {
  const wanted = format ?? 'table';
  if (wanted === 'json') return formatRows(rows, '{{json .}}', defaults);
  if (!wanted.startsWith('table')) {
    const render = compileTemplate(wanted.replaceAll('\\t', '\t').replaceAll('\\n', '\n'), defaults.type);
    return rows.map((row) => `${render(row)}\n`).join('');
  }
  const own = Object.keys(defaults.columns).filter((key) => defaults.columns[key] !== '');
  const template = wanted.slice('table'.length).trim().replaceAll('\\t', '\t');
  const source = template === '' ? own.map((key) => `{{.${key}}}`).join('\t') : template;
  const render = compileTemplate(source, defaults.type);
  const header = source.replace(
    /\{\{\s*\.(\w+)[^}]*\}\}/g,
    (_all, key: string) => defaults.columns[key] ?? HEADERS[key] ?? key.toUpperCase(),
  );
  return `${layTable([header, ...rows.map(render)].map((line) => line.split('\t')))}\n`;
}

const HEADERS: Record<string, string> = {
  ID: 'CONTAINER ID',
  RunningFor: 'CREATED',
  CreatedAt: 'CREATED AT',
  LocalVolumes: 'LOCAL VOLUMES',
};
