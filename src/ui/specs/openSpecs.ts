import * as vscode from 'vscode';
import type { Offers } from '../../instances/offers.ts';
import type { InstanceStore } from '../../instances/store.ts';
import type { SpecLook } from '../../preflight/specLook.ts';
import type { CatalogueReading } from '../../tao/catalogue/skillBank.ts';
import type { GpusAtHand } from '../../tao/spec/gpuProblems.ts';
import { Emitter, type Listen } from '../../values/emitter.ts';
import { setContextKey } from '../contextKeys.ts';
import type { Log } from '../log.ts';
import type { RunChoices } from './runChoices.ts';
import { isYamlFile } from './whenYamlIsSeen.ts';

/** How long nothing must be typed before a spec is looked at. */
const SETTLE_MS = 350;
/** Looking at a large one blocks for longer. */
const LARGE = 64 * 1024;
const SETTLE_LARGE_MS = 1_200;

export interface OpenSpecsOptions {
  readonly choices: RunChoices;
  readonly store: Pick<InstanceStore, 'find'>;
  readonly offers: Pick<Offers, 'known'>;
  readonly catalogue: () => Promise<CatalogueReading>;
  readonly log: Log;
}

interface Entry {
  readonly look: SpecLook;
  readonly version: number;
}

/** The YAML files in the editors that are TAO specs by their content. Only what is seen is looked at. */
export class OpenSpecs implements vscode.Disposable {
  readonly #options: OpenSpecsOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #changes = new Emitter<vscode.Uri>();
  readonly #subscriptions: readonly vscode.Disposable[];

  /** Tells of a file whose look has changed, or that is none any more. */
  readonly onChange: Listen<vscode.Uri> = this.#changes.listen;

  constructor(options: OpenSpecsOptions) {
    this.#options = options;
    this.#subscriptions = [
      vscode.window.onDidChangeVisibleTextEditors((editors) => this.#see(editors)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && isSeen(document)) {
          this.#lookLater(document);
        }
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.#forget(document.uri)),
      // a document that an extension has opened outlives its editor for minutes
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const { input } of closed) {
          if (input instanceof vscode.TabInputText && !hasTab(input.uri)) {
            this.#forget(input.uri);
          }
        }
      }),
      new vscode.Disposable(options.choices.onChange((uri) => this.#lookAgain(uri))),
    ];
    this.#see(vscode.window.visibleTextEditors);
  }

  /** What is known of a file that is open; undefined when it is no spec, or hasn't been looked at yet. */
  known(uri: vscode.Uri): SpecLook | undefined {
    return this.#entries.get(uri.toString())?.look;
  }

  /** Looks at a file now, open or not; undefined when it is no spec. Throws when it can't be opened. */
  async look(uri: vscode.Uri): Promise<SpecLook | undefined> {
    return this.#lookAt(await vscode.workspace.openTextDocument(uri));
  }

  /** The spec that is being edited. */
  get active(): vscode.Uri | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    return uri !== undefined && this.#entries.has(uri.toString()) ? uri : undefined;
  }

  dispose(): void {
    for (const timer of this.#timers.values()) {
      clearTimeout(timer);
    }
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #see(editors: readonly vscode.TextEditor[]): void {
    for (const { document } of editors) {
      if (isYamlFile(document) && this.#entries.get(document.uri.toString())?.version !== document.version) {
        this.#lookLater(document);
      }
    }
  }

  #lookAgain(uri: vscode.Uri): void {
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (document !== undefined && this.#entries.has(uri.toString())) {
      this.#lookLater(document, 0);
    }
  }

  #lookLater(document: vscode.TextDocument, ms = settle(document)): void {
    const key = document.uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        this.#lookAtOpen(document).catch((error: unknown) =>
          this.#options.log.error(`${key} as a spec: ${String(error)}`),
        );
      }, ms),
    );
  }

  async #lookAtOpen(document: vscode.TextDocument): Promise<void> {
    const { uri, version } = document;
    const look = await this.#lookAt(document);
    // what was typed or closed meanwhile makes it void
    if (
      document.isClosed ||
      !hasTab(uri) ||
      document.version !== version ||
      this.#timers.has(uri.toString())
    ) {
      return;
    }
    if (look === undefined) {
      this.#forget(uri);
    } else {
      this.#entries.set(uri.toString(), { look, version });
      this.#changed(uri);
    }
  }

  async #lookAt(document: vscode.TextDocument): Promise<SpecLook | undefined> {
    const { uri } = document;
    const { choices, catalogue } = this.#options;
    const { lookAtSpec } = await import('../../preflight/specLook.ts');
    return lookAtSpec({
      // the editor keeps a byte-order mark to itself
      text: `${document.encoding === 'utf8bom' ? '\ufeff' : ''}${document.getText()}`,
      path: vscode.workspace.asRelativePath(uri),
      wasSpec: this.#entries.has(uri.toString()),
      chosen: choices.of(uri),
      catalogue: (await catalogue()).catalogue,
      gpus: this.#gpusFor(uri),
    });
  }

  /** Of the instance that the spec ran on last. */
  #gpusFor(uri: vscode.Uri): GpusAtHand | undefined {
    const { choices, offers, store } = this.#options;
    const instance = store.find(choices.of(uri).instanceId ?? '');
    const gpu = instance === undefined ? undefined : offers.known(instance.type)?.gpu;
    return instance === undefined || gpu === undefined
      ? undefined
      : { name: instance.name, count: gpu.count };
  }

  #forget(uri: vscode.Uri): void {
    clearTimeout(this.#timers.get(uri.toString()));
    this.#timers.delete(uri.toString());
    if (this.#entries.delete(uri.toString())) {
      this.#changed(uri);
    }
  }

  #changed(uri: vscode.Uri): void {
    // not whole addresses: beside a remote host the window has others for the same files
    setContextKey(
      'brev.specs',
      [...this.#entries.keys()].map((key) => vscode.Uri.parse(key).fsPath),
    );
    this.#changes.emit(uri);
  }
}

function settle(document: vscode.TextDocument): number {
  const end = document.offsetAt(new vscode.Position(document.lineCount, 0));
  return end > LARGE ? SETTLE_LARGE_MS : SETTLE_MS;
}

function isSeen(document: vscode.TextDocument): boolean {
  return (
    isYamlFile(document) && vscode.window.visibleTextEditors.some((editor) => editor.document === document)
  );
}

function hasTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
}
