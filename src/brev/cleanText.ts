import { plainText } from '../values/plainText.ts';

/** Wrap levels that the CLI prints inside its messages: `[error] \n<func>\n<file>:NN\n: ` (brev-cli.md part 1). */
const TRACE = /\[error\] ?\r?\n[^\n]*\r?\n[^\n]*:\d+\r?\n: /g;
const PANIC = /^(?:panic|fatal error): /;
const NOISE = [
  /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:\.\d+)? (?:WARN|ERROR) RESTY\b/,
  /^posthog .*(?:WARN|ERROR)/,
  /^Connection failed, checking instance status\.\.\.$/,
  /^Agent pid \d+$/,
  /^Warning: Permanently added /,
  /^goroutine \d+ \[/,
];

/** Longer texts are looked at from both ends: a panic begins with its reason, all else ends with it. */
const MAX_END = 64 * 1024;

/** The CLI's stderr without ANSI codes, spinner frames, HTTP library logs and Go traces. */
export function cleanText(text: string): string {
  const ends = text.length <= 2 * MAX_END ? text : `${text.slice(0, MAX_END)}\n…\n${text.slice(-MAX_END)}`;
  const plain = plainText(ends).replace(TRACE, '');
  const lines: string[] = [];
  let panicked = false;
  for (const raw of plain.split('\n')) {
    // a spinner redraws its line after each carriage return: only the last picture counts
    const line = (raw.replace(/\r+$/, '').split('\r').at(-1) ?? '').trimEnd();
    if (panicked && line.startsWith('goroutine ')) {
      break;
    }
    if (/^\s*[\u2800-\u28ff]/.test(line) || NOISE.some((pattern) => pattern.test(line))) {
      continue;
    }
    panicked ||= PANIC.test(line);
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
  const panic = lines.find((line) => PANIC.test(line));
  if (panic !== undefined) {
    return panic;
  }
  const bullet = lines.find((line) => line.startsWith('* '));
  return bullet === undefined ? (lines.at(-1) ?? '') : bullet.slice(2);
}
