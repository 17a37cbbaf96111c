import type { RemoteAnswer } from './shell.ts';

/** Reads the answer between the markers; after a replay the last complete run counts. */
export function readAnswer(stdout: string, token: string): RemoteAnswer | undefined {
  const begin = `@@brev-begin ${token}\n`;
  const start = stdout.lastIndexOf(begin);
  if (start < 0) {
    return undefined;
  }
  const body = stdout.slice(start + begin.length);
  const end = new RegExp(`\\n@@brev-end ${token} (\\d+)\\n`).exec(body);
  return end === null ? undefined : { exitCode: Number(end[1]), stdout: body.slice(0, end.index) };
}
