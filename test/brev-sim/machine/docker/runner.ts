import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { programFile } from '../programs.ts';
import { nanoTime, nowNanoseconds } from './clock.ts';
import type { ContainerConfig, ContainerState } from './container.ts';
import { type Execution, planExecution } from './execution.ts';
import { gpuRefusal } from './gpu-runtime.ts';
import { encodingOf, OutputLog, type Stream } from './output-log.ts';
import { catchesSignal, commandWords, containerProcesses, sendSignal } from './processes.ts';
import { type Client, RunnerClients } from './runner-clients.ts';
import { parseSize } from './sizes.ts';
import { readContainer, removeContainer, writeState } from './store.ts';

/** The process behind one container: starts it, stores and hands out its output, records its end. */
class Runner {
  private readonly dir: string;
  private readonly config: ContainerConfig;
  private state: ContainerState;
  private readonly clients = new RunnerClients(
    (request, client) => this.handle(request, client),
    () => this.resumeOutput(),
  );
  private child: ChildProcess | undefined;
  private log: OutputLog | undefined;
  private started = false;
  private finished = false;
  private machineStops = false;
  private forced = false;

  constructor(dir: string, config: ContainerConfig, state: ContainerState) {
    this.dir = dir;
    this.config = config;
    this.state = state;
  }

  listen(): void {
    this.clients.listen(this.config.id, (word) => process.stdout.write(`${word}\n`));
    // A client that was killed before it said "start" must not leave a runner behind.
    setTimeout(() => {
      if (!this.started) process.exit(0);
    }, 10_000).unref();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => this.shutDown());
  }

  private handle(request: Record<string, unknown>, client: Client): void {
    switch (request.op) {
      case 'start':
        this.start(client.answer);
        return;
      case 'stdin':
        if (typeof request.data === 'string') this.child?.stdin?.write(Buffer.from(request.data, 'base64'));
        return;
      case 'stdin-end':
        this.child?.stdin?.end();
        return;
      case 'attach':
        client.attached = true;
        break;
      case 'signal':
        this.signal(asSignal(request.signal));
        break;
      case 'stop':
        this.signal(asSignal(request.signal));
        // -1 waits for ever, as `docker stop -t -1` does.
        if (typeof request.milliseconds === 'number' && request.milliseconds >= 0) {
          setTimeout(() => this.signal('SIGKILL'), request.milliseconds).unref();
        }
        break;
    }
    client.answer({});
  }

  private start(answer: (value: object) => void): void {
    if (this.started) {
      answer({});
      return;
    }
    this.started = true;
    const machine = dirname(dirname(dirname(this.dir)));
    const plan =
      gpuRefusal(machine, this.config) ?? planExecution(join(machine, 'docker'), this.dir, this.config);
    if ('error' in plan) {
      this.state = { ...this.state, error: plan.error, exitCode: plan.exitCode };
      writeState(this.dir, this.state);
      answer(plan);
      this.clients.close(plan.exitCode);
      return;
    }
    const maximum = parseSize(this.config.logOptions['max-size'] ?? '') ?? Number.POSITIVE_INFINITY;
    const path = this.config.logDriver === 'none' ? '/dev/null' : join(this.dir, 'log.json');
    const files = Number(this.config.logOptions['max-file'] ?? '1');
    this.log = new OutputLog(path, maximum, files, encodingOf(this.config.logDriver));
    this.launch(plan, answer);
  }

  private launch(plan: Execution, answer: (value: object) => void): void {
    const child = spawn(plan.file, plan.args, {
      cwd: plan.cwd,
      env: plan.env,
      // A session of its own: a kill reaches the container's whole group and nothing else.
      detached: true,
      stdio: [this.config.openStdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    child.once('spawn', () => {
      this.state = {
        ...this.state,
        status: 'running',
        pid: child.pid ?? 0,
        exitCode: 0,
        error: '',
        oomKilled: false,
        startedAt: nanoTime(nowNanoseconds()),
      };
      writeState(this.dir, this.state);
      answer({});
      if (plan.banner !== '') this.output('stdout', Buffer.from(plan.banner));
    });
    child.once('error', (error) => {
      if (this.state.status === 'running') throw error;
      this.state = { ...this.state, error: error.message, exitCode: 126 };
      writeState(this.dir, this.state);
      answer({ error: error.message, exitCode: 126 });
      this.clients.close(126);
    });
    child.stdin?.on('error', () => child.stdin?.destroy());
    this.follow('stdout', child.stdout);
    this.follow('stderr', child.stderr);
    child.once('exit', () => this.killLeftovers());
    child.once('close', (code, signal) => this.finish(code, signal));
  }

  private follow(stream: Stream, source: Readable | null): void {
    source?.on('data', (bytes: Buffer) => {
      if (this.config.tty)
        this.output('stdout', Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'));
      else this.output(stream, bytes);
    });
  }

  /** Attached clients get the bytes at once; the log gets them when an entry is whole. */
  private output(stream: Stream, bytes: Buffer): void {
    this.log?.write(stream, bytes);
    this.clients.send(stream, bytes);
    if (this.clients.congested)
      for (const source of [this.child?.stdout, this.child?.stderr]) source?.pause();
  }

  private resumeOutput(): void {
    if (this.clients.congested) return;
    for (const source of [this.child?.stdout, this.child?.stderr]) source?.resume();
  }

  /** Signals the container's first process, which has no default actions unless an init stands before it. */
  private signal(signal: NodeJS.Signals): void {
    const pid = this.child?.pid;
    if (pid === undefined || this.finished) return;
    if (signal === 'SIGKILL') {
      this.forced = true;
      this.killLeftovers();
      sendSignal(pid, 'SIGKILL');
    } else if (this.config.init || this.handles(pid, signal)) {
      sendSignal(pid, signal);
    }
  }

  private handles(pid: number, signal: NodeJS.Signals): boolean {
    // Python catches SIGINT alone; the node process that plays it would catch more.
    if (commandWords(pid).includes(programFile('player'))) return signal === 'SIGINT';
    return catchesSignal(pid, constants.signals[signal]);
  }

  /** When the first process of a container ends, the kernel kills the rest. */
  private killLeftovers(): void {
    const pid = this.child?.pid;
    // The group as well: a process may have cleared its environment, and so its mark.
    for (const each of [...containerProcesses(this.config.id), ...(pid === undefined ? [] : [-pid])]) {
      sendSignal(each, 'SIGKILL');
    }
  }

  /** The machine goes down: a moment for those who listen, then the end. */
  private shutDown(): void {
    this.machineStops = true;
    if (this.child === undefined) process.exit(0);
    this.signal('SIGTERM');
    setTimeout(() => this.signal('SIGKILL'), 100);
  }

  private finish(code: number | null, signal: NodeJS.Signals | null): void {
    this.finished = true;
    // A killed process takes a moment to go, and may have forked while it was looked for.
    if (containerProcesses(this.config.id).length > 0) {
      this.killLeftovers();
      setTimeout(() => this.finish(code, signal), 5);
      return;
    }
    this.log?.finish();
    this.state = {
      ...this.state,
      status: 'exited',
      pid: 0,
      exitCode: this.exitCode(code, signal),
      oomKilled: existsSync(join(this.dir, 'oom')),
      finishedAt: nanoTime(nowNanoseconds()),
    };
    writeState(this.dir, this.state);
    if (this.config.autoRemove) {
      removeContainer(dirname(dirname(dirname(this.dir))), {
        dir: this.dir,
        config: this.config,
        state: this.state,
      });
    }
    this.clients.close(this.state.exitCode);
  }

  private exitCode(code: number | null, signal: NodeJS.Signals | null): number {
    if (code !== null) return code;
    // Nothing in a container dies of a SIGTERM from outside it: that is the machine going down.
    if (signal === 'SIGTERM' && (this.machineStops || !this.config.init)) return 137;
    if (this.forced) return 137;
    return 128 + (signal === null ? 0 : constants.signals[signal]);
  }
}

function asSignal(value: unknown): NodeJS.Signals {
  const known = Object.keys(constants.signals).find((name) => name === value);
  return isSignal(known) ? known : 'SIGKILL';
}

function isSignal(name: string | undefined): name is NodeJS.Signals {
  return name !== undefined && name in constants.signals;
}

const container = readContainer(process.argv[2] ?? '');
if (container === undefined) process.stdout.write('gone\n');
else new Runner(container.dir, container.config, container.state).listen();
