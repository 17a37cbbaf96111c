import * as vscode from 'vscode';

/** What became of one step of a quick input. */
export type Picked<T> =
  | { readonly kind: 'picked'; readonly value: T }
  | { readonly kind: 'back' }
  | { readonly kind: 'button'; readonly id: string }
  | { readonly kind: 'cancelled' };

export interface Choice<T> extends vscode.QuickPickItem {
  /** Undefined for separators. */
  readonly value?: T;
}

export interface StepOptions {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly placeholder?: string;
  readonly back?: boolean;
  readonly buttons?: readonly { readonly id: string; readonly icon: string; readonly tooltip: string }[];
}

/** One choice from a list that may still be loading. Undefined from `load` closes the list. */
export function pickOne<T>(
  options: StepOptions & { readonly active?: T },
  load: () => Promise<readonly Choice<T>[] | undefined>,
): Promise<Picked<T>> {
  const pick = vscode.window.createQuickPick<Choice<T>>();
  const result = settle<T>(pick, options);
  pick.placeholder = options.placeholder ?? '';
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.onDidAccept(() => {
    const value = pick.selectedItems[0]?.value;
    if (value !== undefined) {
      result.done({ kind: 'picked', value });
    }
  });
  const filled = fill(
    pick,
    load,
    (items) => {
      const active = items.find((item) => item.value !== undefined && item.value === options.active);
      if (active !== undefined) {
        pick.activeItems = [active];
      }
    },
    () => result.done({ kind: 'cancelled' }),
  );
  return whileFilling(filled, result.promise);
}

/** Any number of choices, in the order of the list. */
export function pickMany<T>(
  options: StepOptions,
  load: () => Promise<readonly Choice<T>[] | undefined>,
): Promise<Picked<readonly T[]>> {
  const pick = vscode.window.createQuickPick<Choice<T>>();
  const result = settle<readonly T[]>(pick, options);
  pick.placeholder = options.placeholder ?? '';
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.onDidAccept(() => {
    const chosen = new Set(pick.selectedItems);
    const values = pick.items.filter((item) => chosen.has(item)).map((item) => item.value);
    result.done({ kind: 'picked', value: values.filter((value) => value !== undefined) });
  });
  const filled = fill(
    pick,
    load,
    () => undefined,
    () => result.done({ kind: 'cancelled' }),
  );
  return whileFilling(filled, result.promise);
}

/** One line of text, checked while it is typed. */
export function askText(
  options: StepOptions & {
    readonly value?: string;
    readonly prompt: string;
    readonly password?: boolean;
    readonly validate: (value: string) => string | undefined;
  },
): Promise<Picked<string>> {
  const input = vscode.window.createInputBox();
  const result = settle<string>(input, options);
  input.prompt = options.prompt;
  input.value = options.value ?? '';
  input.password = options.password ?? false;
  input.placeholder = options.placeholder ?? '';
  const check = (): boolean => {
    const problem = options.validate(input.value);
    input.validationMessage = problem ?? '';
    return problem === undefined;
  };
  input.onDidChangeValue(check);
  input.onDidAccept(() => {
    if (check()) {
      result.done({ kind: 'picked', value: input.value });
    }
  });
  input.show();
  return result.promise;
}

/** Who leaves a list that is still being loaded doesn't wait for it; the caller can end the loading. */
async function whileFilling<T>(filled: Promise<void>, result: Promise<T>): Promise<T> {
  await Promise.race([filled, result]);
  return result;
}

async function fill<T>(
  pick: vscode.QuickPick<Choice<T>>,
  load: () => Promise<readonly Choice<T>[] | undefined>,
  filled: (items: readonly Choice<T>[]) => void,
  failed: () => void,
): Promise<void> {
  pick.busy = true;
  pick.show();
  const items = await load();
  if (items === undefined) {
    failed();
    return;
  }
  pick.items = items;
  pick.busy = false;
  filled(items);
}

/** The input that is open, for keys that stand for its buttons. */
let press: ((id: string) => void) | undefined;

/** Presses a button of the open input, as a click would; nothing happens where there is no such button. */
export function pressButton(id: string): void {
  press?.(id);
}

/** Wires what pickers and input boxes share: title, steps, buttons, and exactly one result. */
function settle<T>(
  input: vscode.QuickInput & { buttons: readonly vscode.QuickInputButton[] } & {
    readonly onDidTriggerButton: vscode.Event<vscode.QuickInputButton>;
  },
  options: StepOptions,
): { readonly promise: Promise<Picked<T>>; readonly done: (picked: Picked<T>) => void } {
  input.title = options.title;
  if (options.step !== undefined && options.totalSteps !== undefined) {
    input.step = options.step;
    input.totalSteps = options.totalSteps;
  }
  input.ignoreFocusOut = true;
  const buttons = (options.buttons ?? []).map((button) => ({
    id: button.id,
    button: { iconPath: new vscode.ThemeIcon(button.icon), tooltip: button.tooltip },
  }));
  input.buttons = [
    ...(options.back ? [vscode.QuickInputButtons.Back] : []),
    ...buttons.map(({ button }) => button),
  ];
  const { promise, resolve } = Promise.withResolvers<Picked<T>>();
  const pressHere = (id: string): void => {
    if (buttons.some((each) => each.id === id)) {
      done({ kind: 'button', id });
    }
  };
  press = pressHere;
  const done = (picked: Picked<T>): void => {
    if (press === pressHere) {
      press = undefined;
    }
    resolve(picked);
    input.dispose();
  };
  input.onDidTriggerButton((button) => {
    const own = buttons.find((each) => each.button === button);
    done(own === undefined ? { kind: 'back' } : { kind: 'button', id: own.id });
  });
  input.onDidHide(() => done({ kind: 'cancelled' }));
  return { promise, done };
}
