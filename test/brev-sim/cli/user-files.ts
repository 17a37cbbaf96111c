import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ignoreMissing } from '../cloud/lock.ts';
import { CliError } from './errors.ts';
import type { Run } from './run.ts';

/** A file of `~/.brev`. */
export function brevFile(run: Run, name: string): string {
  return join(run.home, '.brev', name);
}

/** Text of a file of `~/.brev`; undefined where there is none. */
export function readBrevFile(run: Run, name: string): string | undefined {
  return ignoreMissing(() => readFileSync(brevFile(run, name), 'utf8'));
}

/** Written in place, as the CLI does (contract 11 measured the truncation race). */
export function writeBrevFile(run: Run, name: string, text: string, mode = 0o666, dirMode = 0o770): void {
  mkdirSync(join(run.home, '.brev'), { recursive: true, mode: dirMode });
  writeFileSync(brevFile(run, name), text, { mode });
}

/** JSON as Go's decoder takes it, with its error texts. */
export function parseLikeGo(text: string): unknown {
  if (text.trim() === '') throw new CliError('unexpected end of JSON input');
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // A cut file ends too soon for any parser; other garbage fails on a character.
    const cut = /^\s*[{[]/.test(text);
    throw new CliError(
      cut
        ? 'unexpected end of JSON input'
        : `invalid character '${text.trim().slice(0, 1)}' looking for beginning of value`,
    );
  }
}
