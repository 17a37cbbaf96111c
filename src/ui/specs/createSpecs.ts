import * as vscode from 'vscode';
import { type CatalogueReading, readCatalogue } from '../../tao/catalogue/skillBank.ts';
import { inEnglish } from '../../values/message.ts';
import type { Log } from '../log.ts';
import { OpenSpecs, type OpenSpecsOptions } from './openSpecs.ts';
import { RunChoices } from './runChoices.ts';
import { showSpecProblems } from './specDiagnostics.ts';
import { SpecFixes } from './specFixes.ts';
import { SpecLenses } from './specLenses.ts';

/** Everything about TAO specs; loaded when the first YAML file is seen. */
export interface Specs extends vscode.Disposable {
  readonly open: OpenSpecs;
  readonly choices: RunChoices;
  /** TAO's models, of the user's skill bank where there is one. */
  readonly catalogue: () => Promise<CatalogueReading>;
}

export interface SpecsOptions extends Pick<OpenSpecsOptions, 'store' | 'offers'> {
  readonly memory: vscode.Memento;
  /** A checkout of the skill bank; undefined where there is none. */
  readonly skillBank: string | undefined;
  readonly log: Log;
}

const YAML: vscode.DocumentSelector = [{ language: 'yaml' }, { pattern: '**/*.{yaml,yml}' }];

/** Follows the specs in the editors, with lenses above them, problems in them, and their fixes. */
export function createSpecs({ memory, skillBank, ...options }: SpecsOptions): Specs {
  const { log } = options;
  const choices = new RunChoices(memory);
  let reading: Promise<CatalogueReading> | undefined;
  const catalogue = (): Promise<CatalogueReading> => {
    reading ??= readCatalogue(skillBank).then((read) => {
      for (const problem of read.problems) {
        log.warn(inEnglish(problem));
      }
      return read;
    });
    return reading;
  };
  const open = new OpenSpecs({ ...options, choices, catalogue });
  const lenses = new SpecLenses(open);
  const all = vscode.Disposable.from(
    open,
    lenses,
    vscode.languages.registerCodeLensProvider(YAML, lenses),
    vscode.languages.registerCodeActionsProvider(YAML, new SpecFixes(open), SpecFixes.metadata),
    showSpecProblems(open),
  );
  return { open, choices, catalogue, dispose: () => all.dispose() };
}
