import { stripVTControlCharacters } from 'node:util';

/** stderr without the spinner's frames and the Go traces, as the contract tells every caller to read it. */
export function plain(stderr: string): string {
  return stripVTControlCharacters(stderr)
    .replace(/\r[⠀-⣿][^\r\n]*?(?=\r|\n|$)/gu, '')
    .replace(/\r(?!\n)/g, '')
    .replace(/\[error\] \r?\n[^\n]*\r?\n[^\n]*:\d+\r?\n: /g, '');
}

/** The last line that isn't empty. */
export function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
