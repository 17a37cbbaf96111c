import * as vscode from 'vscode';
import type { SpecProblem } from '../../tao/spec/specProblem.ts';
import { actionFor } from '../actions.ts';
import type { OpenSpecs } from './openSpecs.ts';
import { rangeOf } from './specDiagnostics.ts';

/** What cures the problems of a spec: an edit where one is obvious, or the next step elsewhere. */
export class SpecFixes implements vscode.CodeActionProvider {
  static readonly metadata = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
  readonly #specs: OpenSpecs;

  constructor(specs: OpenSpecs) {
    this.#specs = specs;
  }

  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const problems = this.#specs.known(document.uri)?.problems ?? [];
    return problems
      .filter((problem) => rangeOf(problem).intersection(range) !== undefined)
      .flatMap((problem) => {
        const shown = diagnostics.filter(
          ({ code, range: place }) => code === problem.code && place.isEqual(rangeOf(problem)),
        );
        return actionsFor(problem, document).map((action) => {
          action.diagnostics = shown;
          return action;
        });
      });
  }
}

function actionsFor(problem: SpecProblem, document: vscode.TextDocument): readonly vscode.CodeAction[] {
  const edit = editFor(problem, document);
  const elsewhere = problem.action === undefined ? undefined : actionFor(problem.action);
  return [
    ...(edit === undefined ? [] : [edit]),
    ...(problem.action === 'openLeptonPage'
      ? [commandAction(vscode.l10n.t('Run on Lepton…'), 'brev.runSpecOnLepton', [document.uri])]
      : []),
    ...(elsewhere === undefined ? [] : [commandAction(elsewhere.title, elsewhere.command, elsewhere.args)]),
    ...(problem.code === 'unknownModel' || problem.code === 'unknownAction'
      ? [commandAction(vscode.l10n.t('Choose Model and Action…'), 'brev.changeRun', [document.uri])]
      : []),
  ];
}

function editFor(problem: SpecProblem, document: vscode.TextDocument): vscode.CodeAction | undefined {
  const { fix } = problem;
  if (fix === undefined) {
    return undefined;
  }
  const range = document.validateRange(rangeOf(problem));
  switch (fix.kind) {
    case 'replace': {
      const quote = /^(["'])/.exec(document.getText(range))?.[1] ?? '';
      return edited(vscode.l10n.t('Use {0}', fix.text), document, [
        vscode.TextEdit.replace(range, `${quote}${fix.text}${quote}`),
      ]);
    }
    case 'setValue': {
      const { text } = document.lineAt(range.start.line);
      const [head] = /^.*?:[ \t]*(?:''|""|null|~)?/.exec(text.slice(range.start.character)) ?? [];
      if (head === undefined) {
        return undefined;
      }
      const { line, character } = range.start;
      const key = head.slice(0, head.indexOf(':') + 1);
      return edited(vscode.l10n.t('Use {0}', fix.text), document, [
        vscode.TextEdit.replace(
          new vscode.Range(line, character, line, character + head.length),
          `${key} ${fix.text}`,
        ),
      ]);
    }
    case 'insertAtTop':
      return insertAtTop(fix.text, document);
    case 'spacesForTabs':
      return edited(vscode.l10n.t('Indent with spaces'), document, spacesForTabs(document));
    case 'unixLineEnds':
      return edited(vscode.l10n.t('Use Unix line ends'), document, [
        vscode.TextEdit.setEndOfLine(vscode.EndOfLine.LF),
      ]);
  }
}

/** After what may stand before the first key: comments, directives, the mark of a document. */
function insertAtTop(text: string, document: vscode.TextDocument): vscode.CodeAction | undefined {
  for (let line = 0; line < Math.min(document.lineCount, 1_000); line++) {
    const here = document.lineAt(line).text;
    if (!/^\s*(?:#.*|%.*|---\s*(?:#.*)?)?$/.test(here)) {
      // in braces a line of its own is no key
      return /^[\w"']/.test(here)
        ? edited(vscode.l10n.t('Add {0}', text), document, [
            vscode.TextEdit.insert(new vscode.Position(line, 0), `${text}\n`),
          ])
        : undefined;
    }
  }
  return undefined;
}

function spacesForTabs(document: vscode.TextDocument): readonly vscode.TextEdit[] {
  const edits: vscode.TextEdit[] = [];
  for (let line = 0; line < document.lineCount; line++) {
    const [indent = ''] = /^[ \t]*/.exec(document.lineAt(line).text) ?? [];
    if (indent.includes('\t')) {
      edits.push(
        vscode.TextEdit.replace(
          new vscode.Range(line, 0, line, indent.length),
          indent.replaceAll('\t', '  '),
        ),
      );
    }
  }
  return edits;
}

function edited(
  title: string,
  document: vscode.TextDocument,
  edits: readonly vscode.TextEdit[],
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  action.edit.set(document.uri, [...edits]);
  action.isPreferred = true;
  return action;
}

function commandAction(title: string, command: string, args: readonly unknown[]): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { title, command, arguments: [...args] };
  return action;
}
