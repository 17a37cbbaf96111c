/** Columns padded to their widest cell. Cells are printed raw: control characters pass (contract 3). */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  return [head, ...rows]
    .map((row) => ` ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')} \n`)
    .join('');
}
