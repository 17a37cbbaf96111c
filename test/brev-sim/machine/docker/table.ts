import { DockerFailure } from './failure.ts';
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

export interface RowDefaults {
  columns: Record<string, string>;
  /** Go's name of a row, for error texts. */
  type: string;
}

type Row = Record<string, unknown>;

/** Prepares `--format`: `json`, `table …`, a template, or the command's own table. */
export function rowFormatter(format: string | undefined, defaults: RowDefaults): (rows: Row[]) => string {
  const wanted = format ?? 'table';
  if (wanted === 'json') return rowFormatter('{{json .}}', defaults);
  if (!wanted.startsWith('table')) {
    const render = compileRow(wanted.replaceAll('\\t', '\t').replaceAll('\\n', '\n'), defaults.type);
    return (rows) => rows.map((row) => `${render(row)}\n`).join('');
  }
  const own = Object.keys(defaults.columns);
  const template = wanted.slice('table'.length).trim().replaceAll('\\t', '\t');
  const source = template === '' ? own.map((key) => `{{.${key}}}`).join('\t') : template;
  const render = compileRow(source, defaults.type);
  const header = source.replace(
    /\{\{\s*\.(\w+)[^}]*\}\}/g,
    (_all, key: string) => defaults.columns[key] ?? HEADERS[key] ?? key.toUpperCase(),
  );
  return (rows) => `${layTable([header, ...rows.map(render)].map((line) => line.split('\t')))}\n`;
}

function compileRow(source: string, type: string): (row: Row) => string {
  try {
    return compileTemplate(source, type);
  } catch (error) {
    if (!(error instanceof DockerFailure)) throw error;
    throw new DockerFailure(`failed to parse template: ${error.message}`);
  }
}

const HEADERS: Record<string, string> = {
  ID: 'CONTAINER ID',
  RunningFor: 'CREATED',
  CreatedAt: 'CREATED AT',
  LocalVolumes: 'LOCAL VOLUMES',
};
