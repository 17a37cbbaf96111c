import * as vscode from 'vscode';
import type { SpecProblem } from '../../tao/spec/specProblem.ts';
import { localize } from '../localize.ts';
import { settings } from '../settings.ts';
import type { OpenSpecs } from './openSpecs.ts';

/** Shows what is wrong with the open specs at the place; nothing for other YAML files, and nothing once closed. */
export function showSpecProblems(specs: OpenSpecs): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('brev');
  const show = (uri: vscode.Uri): void => {
    const problems = settings.specDiagnostics(uri) ? (specs.known(uri)?.problems ?? []) : [];
    collection.set(uri, problems.map(toDiagnostic));
  };
  const unsubscribe = specs.onChange(show);
  return vscode.Disposable.from(
    collection,
    new vscode.Disposable(unsubscribe),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('brev.specs.diagnostics')) {
        for (const { uri } of vscode.workspace.textDocuments) {
          show(uri);
        }
      }
    }),
  );
}

/** The range of a problem in its document. */
export function rangeOf({ place }: SpecProblem): vscode.Range {
  const { line, column, length } = place;
  return new vscode.Range(line - 1, column - 1, line - 1, column - 1 + length);
}

function toDiagnostic(problem: SpecProblem): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    rangeOf(problem),
    localize(problem.message),
    severityOf(problem.severity),
  );
  diagnostic.source = 'Brev';
  diagnostic.code = problem.code;
  return diagnostic;
}

function severityOf(severity: SpecProblem['severity']): vscode.DiagnosticSeverity {
  switch (severity) {
    case 'error':
      return vscode.DiagnosticSeverity.Error;
    case 'warning':
      return vscode.DiagnosticSeverity.Warning;
    case 'information':
      return vscode.DiagnosticSeverity.Information;
  }
}
