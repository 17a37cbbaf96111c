import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';

// What the runner, the launcher and the tests inside VS Code tell each other: files in one folder, because each of them
// may end before the next one looks. The environment names the folder.

/** The variable with the folder of the run. */
export const RUN_FOLDER = 'BREV_HOST_RUN';
/** Lines of VS Code's output that start so are the tests' own; all else is the workbench talking to itself. */
export const LINE_MARK = '[host-test] ';

const plan = z.object({
  /** The bundled test files of each phase; between two phases the window is reloaded. */
  phases: z.array(z.array(z.string())),
  /** A pattern that selects tests by their full title. */
  grep: z.nullable(z.string()),
  /** Whether --disable-workspace-trust, which @vscode/test-electron always passes, is to be ignored. */
  restricted: z.boolean(),
});
export type HostPlan = z.infer<typeof plan>;

const started = z.object({ pid: z.number(), version: z.string(), host: z.string() });
export type PhaseStarted = z.infer<typeof started>;

const result = z.object({
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  /** Rejections and errors in the extension host that no test caught. */
  uncaught: z.array(z.string()),
});
export type PhaseResult = z.infer<typeof result>;

/** The files of one run in its folder. */
export class HostRun {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The run that the environment names; throws outside of one. */
  static current(): HostRun {
    const folder = process.env[RUN_FOLDER];
    if (!folder) throw new Error(`${RUN_FOLDER} isn't set: start the host tests by test/host/run.ts`);
    return new HostRun(folder);
  }

  async plan(): Promise<HostPlan> {
    return await this.#read('plan.json', plan);
  }

  async writePlan(value: HostPlan): Promise<void> {
    await this.#write('plan.json', value);
  }

  /** The phase that the next load of the window is to run. */
  async phase(): Promise<number> {
    return await this.#read('phase.json', z.number());
  }

  async setPhase(phase: number): Promise<void> {
    await this.#write('phase.json', phase);
  }

  async started(phase: number): Promise<PhaseStarted | undefined> {
    return await this.#readIfThere(`started-${phase}.json`, started);
  }

  async writeStarted(phase: number, value: PhaseStarted): Promise<void> {
    await this.#write(`started-${phase}.json`, value);
  }

  async result(phase: number): Promise<PhaseResult | undefined> {
    return await this.#readIfThere(`result-${phase}.json`, result);
  }

  async writeResult(phase: number, value: PhaseResult): Promise<void> {
    await this.#write(`result-${phase}.json`, value);
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  async #read<T extends z.ZodMiniType>(name: string, schema: T): Promise<z.infer<T>> {
    return schema.parse(JSON.parse(await readFile(this.file(name), 'utf8')));
  }

  async #readIfThere<T extends z.ZodMiniType>(name: string, schema: T): Promise<z.infer<T> | undefined> {
    try {
      return await this.#read(name, schema);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async #write(name: string, value: unknown): Promise<void> {
    await writeFile(this.file(name), JSON.stringify(value));
  }
}
