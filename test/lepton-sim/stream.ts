import type { ServerResponse } from 'node:http';
import type { Fault } from './faults.ts';
import type { Replica } from './replica.ts';

/** Sends a replica's output from its start, and what comes, until the replica ends or a fault cuts it. */
export function streamLog(
  response: ServerResponse,
  replica: Replica,
  fault: Fault['what'] | undefined,
): void {
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.flushHeaders();
  let sent = fault?.kind === 'rotated' ? fault.firstBytes : 0;
  const limit = fault?.kind === 'drop' ? fault.afterBytes : Number.POSITIVE_INFINITY;
  const cut = (): void => {
    if (fault?.kind === 'drop' && fault.clean !== true) response.destroy();
    else response.end();
  };
  const advance = (): void => {
    const end = Math.min(replica.output.length, limit);
    const reached = end === limit;
    if (end > sent) {
      const piece = replica.output.subarray(sent, end);
      sent = end;
      // the bytes shall arrive before the cut
      if (reached) response.write(piece, cut);
      else response.write(piece);
    } else if (reached) {
      cut();
    }
    if (reached || replica.exitCode !== undefined) stop();
    if (!reached && replica.exitCode !== undefined) response.end();
  };
  let stop = (): void => undefined;
  stop = replica.onChange(advance);
  response.once('close', stop);
  advance();
}
