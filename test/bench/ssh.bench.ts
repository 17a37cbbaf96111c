// The ssh route against plain ssh and against the exec route, in one run. Alone, with a line of JSON for each figure:
// `node --import ./test/support/sh-loader.ts test/bench/ssh.bench.ts`
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ExecShell } from '../../src/remote/execShell.ts';
import type { RemoteShell } from '../../src/remote/shell.ts';
import { createSim } from '../brev-sim/sim.ts';
import { brevOn } from '../support/brev-client.ts';
import { type SshMachine, startSshMachine } from '../support/ssh-machine.ts';
import { compared, type Figure } from './figure.ts';

/** Code that has run a few times is faster, in Node more than in ssh: what is measured is the steady state. */
const WARM_UP_ROUNDS = 40;
const ROUNDS = 100;
const EXEC_ROUNDS = 12;
const STREAM_ROUNDS = 5;
const STREAM_BYTES = 256 * 1024 * 1024;
const never = new AbortController().signal;

/** Measures; the figures come as they are ready. */
export async function measure(report: (figure: Figure) => void): Promise<void> {
  const machine = await startSshMachine();
  try {
    const peer = await sharedSsh(machine);
    await runTrue(machine.shell);
    const contenders = [() => peer(['true']), () => runTrue(machine.shell)];
    await medians(WARM_UP_ROUNDS, contenders);
    const [plain = NaN, ours = NaN] = await medians(ROUNDS, contenders);
    report(
      compared(
        'one `true` by the ssh route against ssh with connection sharing',
        'ms',
        ours,
        plain,
        '<= 1.3',
      ),
    );
    await reportExec(report, ours);
    await reportStream(report, machine, peer);
  } finally {
    await machine.dispose();
  }
}

async function reportExec(report: (figure: Figure) => void, ssh: number): Promise<void> {
  const sim = await createSim({ speed: 50 });
  try {
    await sim.addInstance({ name: 'gpu1' });
    const shell = new ExecShell(brevOn(sim), 'gpu1');
    // the first one refreshes the CLI's ssh config
    await runTrue(shell);
    const [exec = NaN] = await medians(EXEC_ROUNDS, [() => runTrue(shell)]);
    report(compared('one `true` by the exec route (simulated CLI) against the ssh route', 'ms', exec, ssh));
  } finally {
    await sim.dispose();
  }
}

async function reportStream(
  report: (figure: Figure) => void,
  machine: SshMachine,
  peer: (command: readonly string[]) => Promise<void>,
): Promise<void> {
  const text = `head -c ${STREAM_BYTES} /dev/zero`;
  const [plain = NaN, ours = NaN] = await medians(STREAM_ROUNDS, [
    () => peer([text]),
    async () => {
      let bytes = 0;
      const outcome = await machine.shell.stream(
        { text, args: [] },
        (chunk) => {
          bytes += chunk.length;
        },
        never,
      );
      if (outcome.kind !== 'ok' || bytes !== STREAM_BYTES)
        throw new Error(`stream: ${JSON.stringify(outcome)}`);
    },
  ]);
  const speed = (ms: number) => STREAM_BYTES / 1e6 / (ms / 1e3);
  report(
    compared('stream over the ssh route against `ssh host cat`', 'MB/s', speed(ours), speed(plain), '>= 0.7'),
  );
}

/** Plain ssh by a connection of its own that it shares, with nothing of ours around it. */
async function sharedSsh(machine: SshMachine): Promise<(command: readonly string[]) => Promise<void>> {
  const options = ['-F', machine.configFile, '-T', '-S', path.join(machine.socketBase, 'peer')];
  const run = async (args: readonly string[]): Promise<void> => {
    const child = spawn('ssh', [...options, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.resume();
    child.stderr.resume();
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`ssh ended with ${code}`);
  };
  await run(['-o', 'ControlMaster=auto', '-o', 'ControlPersist=60', '-o', 'LogLevel=ERROR', 'gpu1', 'true']);
  return (command) => run(['gpu1', ...command]);
}

async function runTrue(shell: RemoteShell): Promise<void> {
  const outcome = await shell.run({ text: 'true', args: [] }, { timeoutMs: 60_000, signal: never });
  if (outcome.kind !== 'ok' || outcome.value.exitCode !== 0) throw new Error(JSON.stringify(outcome));
}

/** The median time of each, in milliseconds; they take turns, so that what else the machine does meets all alike. */
async function medians(rounds: number, contenders: readonly (() => Promise<void>)[]): Promise<number[]> {
  const times = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      const begun = performance.now();
      await contender();
      times[index]?.push(performance.now() - begun);
    }
  }
  return times.map((each) => each.sort((a, b) => a - b)[Math.floor(each.length / 2)] ?? NaN);
}

if (import.meta.main) {
  await measure((each) => console.log(JSON.stringify(each)));
}
