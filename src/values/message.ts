/**
 * A sentence for the user, made below the UI: an English template with {0} places.
 * The UI translates it with vscode.l10n, whose keys are the English templates.
 */
export interface Message {
  readonly template: string;
  readonly args: readonly (string | number)[];
}

/** Makes a sentence for the user. The template must be a literal: a test collects them for translation. */
export function message(template: string, ...args: readonly (string | number)[]): Message {
  return { template, args };
}

/** The sentence in English, for logs and tests. */
export function inEnglish(sentence: Message): string {
  return sentence.template.replace(/\{(\d+)\}/g, (place, index: string) => {
    const value = sentence.args[Number(index)];
    return value === undefined ? place : String(value);
  });
}
