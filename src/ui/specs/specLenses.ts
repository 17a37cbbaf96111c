import * as vscode from 'vscode';
import type { SpecLook } from '../../preflight/specLook.ts';
import { fitWords } from './fitWords.ts';
import type { OpenSpecs } from './openSpecs.ts';

/** Above a spec: run it, change what it is taken for, get a machine for it. */
export class SpecLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #specs: OpenSpecs;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #unsubscribe: () => void;

  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(specs: OpenSpecs) {
    this.#specs = specs;
    this.#unsubscribe = specs.onChange(() => this.#changed.fire());
  }

  provideCodeLenses({ uri, lineCount }: vscode.TextDocument): vscode.CodeLens[] {
    const look = this.#specs.known(uri);
    if (look === undefined) {
      return [];
    }
    const line = Math.min(look.line, lineCount) - 1;
    const at = new vscode.Range(line, 0, line, 0);
    const lens = (title: string, tooltip: string, command: string): vscode.CodeLens =>
      new vscode.CodeLens(at, { title, tooltip, command, arguments: [uri] });
    const needs = fitWords(look.fit);
    return [
      lens(
        `$(rocket) ${runTitle(look)}`,
        vscode.l10n.t('Runs this spec in a container on a GPU instance, after showing what would run.'),
        'brev.runSpec',
      ),
      lens(
        `$(settings-gear) ${vscode.l10n.t('Change…')}`,
        vscode.l10n.t('Choose another model, action, image or number of GPUs for this file'),
        'brev.changeRun',
      ),
      lens(
        `$(vm) ${needs === '' ? vscode.l10n.t('Find a machine…') : vscode.l10n.t('Needs {0}: find a machine…', needs)}`,
        vscode.l10n.t('Shows the types that are large enough, cheapest first. Nothing is bought by looking.'),
        'brev.createInstance',
      ),
    ];
  }

  dispose(): void {
    this.#unsubscribe();
    this.#changed.dispose();
  }
}

function runTitle({ network, action, confidence }: SpecLook): string {
  if (network === undefined) {
    return vscode.l10n.t('Run on Brev…');
  }
  return confidence === 'guess'
    ? vscode.l10n.t('Run on Brev: probably {0} {1}', network, action)
    : vscode.l10n.t('Run on Brev: {0} {1}', network, action);
}
