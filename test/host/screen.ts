import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { HostRun } from '../support/host-run.ts';
import { type PanelLook, panelLook } from '../support/panel-look.ts';
import {
  type Look,
  look,
  type SeenNotification,
  type SeenRow,
  type SeenView,
} from '../support/screen-look.ts';
import type { Place, ScreenAction } from '../support/screen-request.ts';
import { ScreenClient } from './screenClient.ts';

const GUARD_MS = 20_000;
const LOOK_AT_LEAST_MS = 2_000;
const QUICK_INPUT = '.quick-input-widget:visible';

/** A window of VS Code as a person has it: what is seen in it, and what mouse and keys do. */
export class Screen {
  readonly #client: ScreenClient;
  readonly #window: number;

  private constructor(client: ScreenClient, window: number) {
    this.#client = client;
    this.#window = window;
  }

  /** The window that the tests run in. Throws where the host's window can't be looked at. */
  static async open(): Promise<Screen> {
    return new Screen(await ScreenClient.connect(), 0);
  }

  /** Lets the window show dialogs and toasts, which it hides while tests run, or hides them again. */
  async showAll(wanted: boolean): Promise<void> {
    await this.#do({ do: 'showAll', wanted });
  }

  /** Opens a second window, on the same folder or another. */
  async openWindow(folder?: string): Promise<Screen> {
    return new Screen(this.#client, Number(await this.#do({ do: 'open', folder })));
  }

  /** Reloads the window as a person does. Not the window that the tests run in. */
  async reload(): Promise<void> {
    await this.#do({ do: 'reload' });
  }

  /** Runs a command by its title in the command palette. */
  async runCommand(title: string): Promise<void> {
    // one that has just been accepted would take the palette with it
    await this.noQuickInput();
    await this.key('F1');
    await this.type(`>${title}`);
    await this.pick(title);
  }

  async close(): Promise<void> {
    await this.#do({ do: 'close' });
  }

  /** What is seen now. */
  async look(): Promise<Look> {
    return look.parse(await this.#do({ do: 'look', after: -1, waitMs: 0 }));
  }

  /** What is seen once all that the extension has told VS Code so far is drawn. */
  async settled(): Promise<Look> {
    // Goes to the window and back behind everything that was sent before.
    await vscode.commands.executeCommand('setContext', 'brev.test', true);
    return look.parse(await this.#do({ do: 'drawn' }));
  }

  /** Looks at each change of the window until `find` finds something, and gives that. */
  async until<T>(what: string, find: (look: Look) => T | undefined | false): Promise<T> {
    const deadline = performance.now() + GUARD_MS;
    let seen = await this.look();
    for (;;) {
      const found = find(seen);
      if (found !== undefined && found !== false) return found;
      if (performance.now() >= deadline)
        throw new Error(`Never seen: ${what}. The window shows ${inspect(outline(seen), { depth: 5 })}`);
      seen = look.parse(await this.#do({ do: 'look', after: seen.version, waitMs: LOOK_AT_LEAST_MS }));
    }
  }

  async notifications(): Promise<readonly SeenNotification[]> {
    return (await this.look()).notifications;
  }

  /** The notification with this text, once it is there. */
  async notification(text: RegExp): Promise<SeenNotification> {
    return await this.until(`a notification ${text}`, ({ notifications }) =>
      notifications.find((one) => text.test(one.text)),
    );
  }

  /** The modal dialog, once it is there. */
  async dialog(message = /./): Promise<NonNullable<Look['dialog']>> {
    return await this.until(`a dialog ${message}`, ({ dialog }) =>
      dialog !== null && message.test(dialog.message) ? dialog : undefined,
    );
  }

  /** The quick input with this title, once it is there with its rows. */
  async quickInput(title = /./): Promise<NonNullable<Look['quickInput']>> {
    return await this.until(`a quick input ${title}`, ({ quickInput }) =>
      quickInput !== null && title.test(quickInput.title) && !quickInput.busy ? quickInput : undefined,
    );
  }

  /** Waits until no quick input is open. */
  async noQuickInput(): Promise<void> {
    await this.until('no quick input', ({ quickInput }) => quickInput === null);
  }

  /** Presses a button of the open dialog or else of a notification, once there is one. */
  async press(button: string): Promise<void> {
    const css = await this.until(`a button ${button}`, ({ dialog, notifications }) => {
      if (dialog?.buttons.includes(button)) return '.monaco-dialog-box .dialog-buttons';
      return notifications.some(({ buttons }) => buttons.includes(button))
        ? '.notifications-toasts .notification-toast'
        : undefined;
    });
    await this.#click({ css, role: 'button', name: button });
  }

  /** Picks the row of the quick input with this text, once there is one. */
  async pick(text: string): Promise<void> {
    await this.until(`a row ${text}`, ({ quickInput }) => quickInput?.rows.some((row) => row.includes(text)));
    await this.#click({ css: `${QUICK_INPUT} .monaco-list-row`, has: text });
  }

  /** Types into the quick input, over what is there. */
  async type(text: string): Promise<void> {
    await this.#do({ do: 'fill', place: { css: `${QUICK_INPUT} .quick-input-box input` }, text });
  }

  async accept(): Promise<void> {
    await this.key('Enter');
  }

  async escape(): Promise<void> {
    await this.key('Escape');
  }

  async back(): Promise<void> {
    await this.#click({ css: `${QUICK_INPUT} .codicon-quick-input-back` });
  }

  async key(key: string): Promise<void> {
    await this.#do({ do: 'key', key });
  }

  /** What the open job panel shows, once `find` finds something in it; with the pointer on what `over` names. */
  async panel<T>(what: string, find: (panel: PanelLook) => T | undefined | false, over?: string): Promise<T> {
    let deadline: number | undefined;
    for (;;) {
      if (over !== undefined) await this.pointInWebview(over);
      const seen = panelLook.parse(await this.#do({ do: 'panel' }));
      // from when it is there on: it may be one of a window that begins
      deadline ??= performance.now() + GUARD_MS;
      const found = find(seen);
      if (found !== undefined && found !== false) return found;
      if (performance.now() >= deadline)
        throw new Error(`Never seen: ${what}. The panel shows ${inspect(seen, { depth: 5 })}`);
      // what a webview draws is no change of the window that could be waited for
      await this.settled();
    }
  }

  /** Opens a file of the workspace's folder from the explorer; the explorer has the focus then. */
  async openFile(name: string): Promise<void> {
    await this.#click({ css: '.explorer-folders-view .monaco-list-row', has: name });
    await this.#do({ do: 'hover', place: { css: tabOf(name) } });
  }

  /** Shows the editor with this title. */
  async showTab(title: string): Promise<void> {
    await this.#click({ css: tabOf(title) });
  }

  /** Presses something in the open webview. */
  async pressInWebview(css: string): Promise<void> {
    await this.#click({ css, webview: true });
  }

  /** Drags over something in the open webview, from one part of its width to another. */
  async dragInWebview(css: string, from: number, to: number): Promise<void> {
    await this.#do({ do: 'drag', place: { css, webview: true }, from, to });
  }

  /** Puts the pointer onto something in the open webview. */
  async pointInWebview(css: string): Promise<void> {
    await this.#do({ do: 'hover', place: { css, webview: true } });
  }

  /** The items of the extension in the status bar. */
  async statusBar(): Promise<Look['statusBar']> {
    return ownItems(await this.look());
  }

  /** The text of the extension's status-bar item, once it fits. */
  async status(text: RegExp): Promise<string> {
    return await this.until(
      `${text} in the status bar`,
      (seen) => ownItems(seen).find((item) => text.test(item.text))?.text,
    );
  }

  /** A view of the sidebar by its id, as it is now. */
  async view(id: string): Promise<SeenView> {
    return await this.until(`the view ${id}`, (seen) => viewOf(seen, id));
  }

  /** The row of the instances view with this label, once its description fits. */
  async row(label: string, description = /./): Promise<SeenRow> {
    return await this.until(`a row ${label} with ${description}`, (seen) =>
      viewOf(seen, 'brev.instances')?.rows.find(
        (row) => row.label === label && description.test(row.description),
      ),
    );
  }

  /** Waits until the instances view has no row with this label. */
  async noRow(label: string): Promise<void> {
    await this.until(`no row ${label}`, (seen) => {
      const view = viewOf(seen, 'brev.instances');
      return view?.rows.every((row) => row.label !== label);
    });
  }

  /** Shows a view container by its icon in the activity bar. */
  async openContainer(name: string): Promise<void> {
    const tab = `.part.activitybar [role="tab"][aria-label^=${JSON.stringify(name)}]`;
    if ((await this.look()).views.every(({ id }) => !id.startsWith('brev-'))) await this.#click({ css: tab });
  }

  /** Presses a button or link of a view's welcome text. */
  async pressInView(id: string, button: string): Promise<void> {
    await this.until(`${button} in ${id}`, (seen) => viewOf(seen, id)?.welcome?.buttons.includes(button));
    await this.#click({ css: `${paneOf(id)} .welcome-view-content :is(a, .monaco-button)`, has: button });
  }

  /** Presses a button in a view's title. */
  async pressInTitle(id: string, button: string): Promise<void> {
    await this.#do({ do: 'hover', place: { css: `${paneOf(id)} .pane-header` } });
    await this.#click({ css: `${paneOf(id)} .pane-header .actions`, role: 'button', name: button });
  }

  /** Presses a button above the editor, once it is there. */
  async pressInEditor(button: string): Promise<void> {
    await this.#click({ css: '.part.editor .editor-actions', role: 'button', name: button });
  }

  /** Folds a view, or unfolds it, so that others have its room. */
  async fold(id: string, folded: boolean): Promise<void> {
    if ((await this.view(id)).expanded === !folded) return;
    await this.#click({ css: `${paneOf(id)} .pane-header .title` });
    await this.until(`${id} folded or not`, (seen) => viewOf(seen, id)?.expanded === !folded);
  }

  /** Clicks a row of a view; `adding` keeps what is selected already. */
  async select(id: string, label: string, adding = false): Promise<void> {
    await this.#pointAway();
    await this.#do({
      do: 'click',
      place: rowPlace(id, label),
      button: 'left',
      modifiers: adding ? ['ControlOrMeta'] : [],
    });
    await this.until(`${label} selected`, (seen) =>
      viewOf(seen, id)?.rows.some((row) => row.label === label && row.selected),
    );
  }

  /** Right-clicks a row of a view and gives the menu's entries. */
  async menuOf(id: string, label: string): Promise<readonly string[]> {
    await this.#pointAway();
    await this.#do({ do: 'click', place: rowPlace(id, label), button: 'right', modifiers: [] });
    return await this.until(`the menu of ${label}`, ({ menu }) => menu.length > 0 && menu);
  }

  /** Chooses an entry of the open menu. */
  async choose(entry: string): Promise<void> {
    do {
      // A menu takes no click in the first moments after it came up.
      await this.#click({ css: '.monaco-menu', role: 'menuitem', name: entry });
    } while ((await this.settled()).menu.includes(entry));
  }

  /** The hover text of a row of a view. */
  async hoverOf(id: string, label: string): Promise<string> {
    await this.#pointAway();
    await this.#do({ do: 'hover', place: rowPlace(id, label) });
    return await this.until(`the hover of ${label}`, ({ hover }) => hover.includes(label) && hover);
  }

  /** The hover text of an item of the status bar, by what it says; the window shows it without its formatting. */
  async hoverOfStatus(text: RegExp): Promise<string> {
    const item = await this.until(`${text} in the status bar`, (seen) =>
      ownItems(seen).find((one) => text.test(one.text)),
    );
    await this.#pointAway();
    await this.#do({ do: 'hover', place: { css: `[id=${JSON.stringify(item.id)}]` } });
    return await this.until(`the hover of ${text}`, ({ hover }) => hover !== '' && hover);
  }

  /** Clicks an item of the status bar. */
  async pressStatus(text: RegExp): Promise<void> {
    const item = await this.until(`${text} in the status bar`, (seen) =>
      ownItems(seen).find((one) => text.test(one.text)),
    );
    await this.#click({ css: `[id=${JSON.stringify(item.id)}] a` });
  }

  /** The texts of all notifications since the last `forgetToasts`, also of those that went. */
  async toasts(): Promise<readonly string[]> {
    return (await this.settled()).toasts;
  }

  async forgetToasts(): Promise<void> {
    await this.#do({ do: 'forgetToasts' });
  }

  /** Takes the focus from the window, or gives it back. */
  async focus(focused: boolean): Promise<void> {
    await this.#do({ do: 'focus', focused });
  }

  /** Saves a picture of the window in the run's folder and gives its path. */
  async picture(name: string): Promise<string> {
    const file = HostRun.current().file(`${name.replaceAll(/[^A-Za-z0-9]+/g, '-')}.png`);
    await this.#do({ do: 'picture', file });
    return file;
  }

  #do(action: ScreenAction): Promise<unknown> {
    return this.#client.ask(this.#window, action);
  }

  /** The hover of one row would cover another. */
  async #pointAway(): Promise<void> {
    // one that came up just as the pointer left its row stays until the pointer moves again
    for (const css of ['.part.statusbar', '.part.titlebar', '.part.statusbar']) {
      await this.#do({ do: 'hover', place: { css } });
      if ((await this.settled()).hover === '') return;
    }
    // one that is there stays for as long as the pointer is on it, and a click would only move the pointer onto it
    await this.until('no hover', ({ hover }) => hover === '');
  }

  async #click(place: Place): Promise<void> {
    await this.#do({ do: 'click', place, button: 'left', modifiers: [] });
  }
}

/** What matters in the message of a test that failed. */
function outline(seen: Look): unknown {
  const { notifications, toasts, dialog, quickInput, views, menu } = seen;
  const rows = views.map(({ id, message, welcome, rows: all }) => ({
    id,
    message,
    welcome: welcome?.text,
    rows: all.map(({ label, description }) => `${label} | ${description}`),
  }));
  return { notifications, toasts, dialog, quickInput, menu, status: ownItems(seen), views: rows };
}

function viewOf({ views }: Look, id: string): SeenView | undefined {
  return views.find((view) => view.id === id.replaceAll('.', '-'));
}

function paneOf(id: string): string {
  return `.part.sidebar .pane:has(.pane-header .view-${id.replaceAll('.', '-')})`;
}

function rowPlace(id: string, label: string): Place {
  const name = `.label-name :text-is(${JSON.stringify(label)})`;
  return { css: `${paneOf(id)} .pane-body .monaco-list-row:has(${name})` };
}

function tabOf(title: string): string {
  // "TITLE, Editor Group 2"
  return `.part.editor .tab:is([aria-label=${JSON.stringify(title)}], [aria-label^=${JSON.stringify(`${title},`)}])`;
}

function ownItems({ statusBar }: Look): Look['statusBar'] {
  return statusBar.filter(({ id }) => id.startsWith('brev-instances.'));
}
