import * as vscode from 'vscode';
import type { PlanProblem } from '../../workflow/plan.ts';
import { localize } from '../localize.ts';
import type { OpenPlans } from './openPlans.ts';

/** Shows what is wrong with the open plans, at the line. */
export function showPlanProblems(plans: OpenPlans): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('brev-plans');
  return vscode.Disposable.from(
    collection,
    new vscode.Disposable(
      plans.onChange((uri) => collection.set(uri, plans.problems(uri).map(toDiagnostic))),
    ),
  );
}

function toDiagnostic({ place, problem, severity }: PlanProblem): vscode.Diagnostic {
  const { column, length, line } = place;
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(line - 1, column - 1, line - 1, column - 1 + length),
    localize(problem),
    severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
  );
  diagnostic.source = 'Brev';
  return diagnostic;
}
