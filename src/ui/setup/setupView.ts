import * as vscode from 'vscode';
import type { CheckState, SetupContext } from '../../preflight/checks/check.ts';
import type { Setup, SetupLine } from '../../preflight/setup.ts';
import { unreachable } from '../../values/unreachable.ts';
import { localize } from '../localize.ts';
import { fixWords } from './fixWords.ts';

/** What the view shows: lines by id, which stay the same while results come and go. */
export interface SetupNode {
  readonly kind: 'check';
  readonly id: string;
}

/** The Setup view: one line a check, with its state, one sentence, and its fix. Checks run when the view is opened. */
export class SetupView implements vscode.TreeDataProvider<SetupNode>, vscode.Disposable {
  readonly #context: SetupContext;
  readonly #changed = new vscode.EventEmitter<SetupNode | undefined>();
  readonly #view: vscode.TreeView<SetupNode>;
  readonly #nodes = new Map<string, SetupNode>();
  readonly #visibility: vscode.Disposable;
  #setup: Promise<Setup> | undefined;
  #lines: readonly SetupLine[] = [];
  #hasRun = false;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(context: SetupContext) {
    this.#context = context;
    this.#view = vscode.window.createTreeView('brev.setup', { treeDataProvider: this });
    this.#visibility = this.#view.onDidChangeVisibility(() => this.#runFirst());
    this.#runFirst();
  }

  /** The checks; their code is read when they are first needed. */
  setup(): Promise<Setup> {
    this.#setup ??= import('../../preflight/setup.ts').then((module) => {
      const setup = new module.Setup(this.#context);
      this.#lines = setup.lines;
      setup.onChange(() => {
        this.#lines = setup.lines;
        this.#changed.fire(undefined);
      });
      return setup;
    });
    return this.#setup;
  }

  /** Runs all checks, with progress in the view. */
  async run(): Promise<readonly SetupLine[]> {
    this.#hasRun = true;
    const setup = await this.setup();
    return vscode.window.withProgress({ location: { viewId: 'brev.setup' } }, () => setup.run());
  }

  /** What was found may not hold any more: it is checked again, now or when the view is next seen. */
  recheck(): void {
    this.#hasRun = false;
    this.#runFirst();
  }

  line(id: string): SetupLine | undefined {
    return this.#lines.find((line) => line.id === id);
  }

  getChildren(node?: SetupNode): SetupNode[] {
    return node === undefined ? this.#lines.map(({ id }) => this.#node(id)) : [];
  }

  getTreeItem(node: SetupNode): vscode.TreeItem {
    const line = this.line(node.id);
    const item = new vscode.TreeItem(line === undefined ? node.id : localize(line.title));
    item.id = `check:${node.id}`;
    if (line === undefined) {
      return item;
    }
    const { result, running } = line;
    const sentence = result === undefined ? '' : localize(result.sentence);
    item.description = sentence;
    item.iconPath = running ? new vscode.ThemeIcon('loading~spin') : icon(result?.state);
    item.contextValue = `brev.check${result?.fix === undefined ? '' : '+fix'}`;
    const state = running ? vscode.l10n.t('being checked') : stateWords(result?.state);
    item.accessibilityInformation = { label: `${localize(line.title)}: ${state}. ${sentence}` };
    const fix = result?.fix;
    item.tooltip = [
      `${localize(line.title)}: ${state}`,
      sentence,
      ...(fix === undefined ? [] : [fixWords(fix)]),
    ]
      .filter((part) => part !== '')
      .join('\n');
    return item;
  }

  dispose(): void {
    this.#visibility.dispose();
    this.#view.dispose();
    this.#changed.dispose();
    void this.#setup?.then((setup) => setup.dispose());
  }

  #runFirst(): void {
    if (this.#view.visible && !this.#hasRun) {
      void this.run();
    }
  }

  #node(id: string): SetupNode {
    const node = this.#nodes.get(id) ?? { kind: 'check', id };
    this.#nodes.set(id, node);
    return node;
  }
}

function icon(state: CheckState | undefined): vscode.ThemeIcon {
  switch (state) {
    case undefined:
      return new vscode.ThemeIcon('circle-outline');
    case 'passed':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
    case 'warning':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
    case 'unknown':
      return new vscode.ThemeIcon('question');
    case 'skipped':
      return new vscode.ThemeIcon('debug-step-over', new vscode.ThemeColor('disabledForeground'));
    default:
      return unreachable(state);
  }
}

function stateWords(state: CheckState | undefined): string {
  switch (state) {
    case undefined:
      return vscode.l10n.t('not checked yet');
    case 'passed':
      return vscode.l10n.t('fine');
    case 'failed':
      return vscode.l10n.t('to be fixed');
    case 'warning':
      return vscode.l10n.t('worth a look');
    case 'unknown':
      return vscode.l10n.t('not known');
    case 'skipped':
      return vscode.l10n.t('skipped');
    default:
      return unreachable(state);
  }
}
