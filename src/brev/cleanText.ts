import { stripVTControlCharacters } from 'node:util';

/** Wrap levels that the CLI prints inside its messages: `[error] \n<func>\n<file>:NN\n: ` (brev-cli.md part 1). */
const TRACE = /\[error\] ?\r?\n[^\n]*\r?\n[^\n]*:\d+\r?\n: /g;
const NOISE = [
  /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:\.\d+)? (?:WARN|ERROR) RESTY\b/,
  /^posthog .*(?:WARN|ERROR)/,
  /^Connection failed, checking instance status\.\.\.$/,
  /^Agent pid \d+$/,
  /^Warning: Permanently added /,
  /^goroutine \d+ \[/,
];

/** The CLI's stderr without ANSI codes, spinner frames, HTTP library logs and Go traces. */
export function cleanText(text: string): string {
  const plain = stripVTControlCharacters(text).replace(TRACE, '');
  const lines: string[] = [];
  for (const raw of plain.split('\n')) {
    // a spinner redraws its line after each carriage return: only the last picture counts
    const line = (raw.replace(/\r+$/, '').split('\r').at(-1) ?? '').trimEnd();
    if (line.startsWith('goroutine ') && lines.some((seen) => seen.startsWith('panic: '))) {
      break;
    }
    if (/^\s*[\u2800-\u28ff]/.test(line) || NOISE.some((pattern) => pattern.test(line))) {
      continue;
    }
    lines.push(line);
  }
  return lines.join('\n').trim();
}

/** The one line of an error that says most: the CLI puts it last, unless it panicked or listed several. */
export function lastLine(text: string): string {
  const lines = cleanText(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const panic = lines.find((line) => line.startsWith('panic: '));
  if (panic !== undefined) {
    return panic;
  }
  const bullet = lines.find((line) => line.startsWith('* '));
  return bullet === undefined ? (lines.at(-1) ?? '') : bullet.slice(2);
}
