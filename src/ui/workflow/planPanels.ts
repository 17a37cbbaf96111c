import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Parts } from '../parts.ts';
import { webviewPage } from '../webviewPage.ts';
import { describePlan, planPanelWords } from './describePlan.ts';
import type { OpenPlans } from './openPlans.ts';
import { planName } from './planName.ts';
import type { FromPlanPage, PanelPlan, ToPlanPage } from './planProtocol.ts';
import type { PlanRuns } from './planRuns.ts';

export const PLAN_VIEW = 'brev.plan';
/** How often a graph looks what another window does with its plan. */
const OTHER_WINDOW_MS = 3_000;

const BODY = `<h1 id="title"></h1>
<p id="summary"></p>
<p id="actions"></p>
<div id="graph"><svg id="arrows" aria-hidden="true"></svg><div id="steps"></div></div>
<p id="news" class="hidden" role="status"></p>
<details id="words"><summary id="inWords"></summary><table id="table"></table></details>`;

const pageState = z.object({ uri: z.string() });

/** The graphs of plans, each in a panel. */
export class PlanPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #parts: Parts;
  readonly #extension: vscode.Uri;
  readonly #plans: OpenPlans;
  readonly #runs: PlanRuns;
  readonly #open = new Map<string, vscode.WebviewPanel>();

  constructor(parts: Parts, extension: vscode.Uri, plans: OpenPlans, runs: PlanRuns) {
    this.#parts = parts;
    this.#extension = extension;
    this.#plans = plans;
    this.#runs = runs;
  }

  show(uri: vscode.Uri): void {
    const known = this.#open.get(uri.toString());
    if (known !== undefined) {
      known.reveal(undefined, true);
      return;
    }
    const panel = vscode.window.createWebviewPanel(PLAN_VIEW, planName(uri), {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
    });
    this.#fill(panel, uri);
  }

  /** Opens a graph again that was open when the window was closed. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const parsed = z.safeParse(pageState, state);
    if (parsed.success) {
      this.#fill(panel, vscode.Uri.parse(parsed.data.uri));
    } else {
      panel.dispose();
    }
  }

  /** What the graph of a plan shows, for tests too. */
  async describe(uri: vscode.Uri): Promise<PanelPlan | undefined> {
    return describePlan(this.#plans.known(uri) ?? (await this.#plans.look(uri)));
  }

  dispose(): void {
    for (const panel of this.#open.values()) {
      panel.dispose();
    }
  }

  #fill(panel: vscode.WebviewPanel, uri: vscode.Uri): void {
    const media = vscode.Uri.joinPath(this.#extension, 'dist', 'planPanel');
    this.#open.set(uri.toString(), panel);
    panel.webview.options = { enableScripts: true, localResourceRoots: [media] };
    let timer: NodeJS.Timeout | undefined;
    const send = (message: ToPlanPage): void => void panel.webview.postMessage(message);
    const update = async (again: boolean): Promise<void> => {
      clearTimeout(timer);
      if (!panel.visible) {
        return;
      }
      const { plan, problem } = await this.#read(uri, again);
      panel.title = plan?.title ?? planName(uri);
      send({ kind: 'plan', uri: uri.toString(), plan, problem });
      const state = this.#plans.known(uri)?.state;
      if (state !== undefined && state.ended === undefined && this.#runs.running(uri) === undefined) {
        clearTimeout(timer);
        timer = setTimeout(() => show(true), OTHER_WINDOW_MS);
      }
    };
    const show = (again: boolean): void => {
      update(again).catch((error: unknown) =>
        this.#parts.log.error(`the graph of ${uri.fsPath}: ${String(error)}`),
      );
    };
    const subscriptions = vscode.Disposable.from(
      panel.webview.onDidReceiveMessage((message: FromPlanPage) => {
        if (message.kind === 'ready') {
          send({ kind: 'words', words: planPanelWords() });
          show(true);
        } else {
          void this.#act(uri, message);
        }
      }),
      panel.onDidChangeViewState(() => show(false)),
      new vscode.Disposable(
        this.#plans.onChange((changed) => {
          if (changed.toString() === uri.toString()) {
            show(false);
          }
        }),
      ),
      new vscode.Disposable(
        this.#runs.onChange((changed) => {
          if (changed.toString() === uri.toString() && this.#plans.known(uri) === undefined) {
            show(true);
          }
        }),
      ),
    );
    panel.onDidDispose(() => {
      clearTimeout(timer);
      this.#open.delete(uri.toString());
      subscriptions.dispose();
    });
    panel.webview.html = webviewPage(panel.webview, media, { body: BODY, style: 'style.css' });
  }

  /** What there is of a plan; a file that is gone is nothing to stop at: it may come back. */
  async #read(
    uri: vscode.Uri,
    again: boolean,
  ): Promise<{ readonly plan: PanelPlan | undefined; readonly problem: string }> {
    try {
      if (again) {
        await this.#plans.look(uri);
      }
      return { plan: await this.describe(uri), problem: '' };
    } catch (error) {
      this.#parts.log.info(`the graph of ${uri.fsPath}: ${String(error)}`);
      return {
        plan: undefined,
        problem: vscode.l10n.t('{0} cannot be read. It may have been moved or deleted.', uri.fsPath),
      };
    }
  }

  async #act(uri: vscode.Uri, message: Exclude<FromPlanPage, { kind: 'ready' }>): Promise<void> {
    if (message.kind === 'plan') {
      switch (message.action) {
        case 'run':
          await vscode.commands.executeCommand('brev.runPlan', uri);
          return;
        case 'resume':
          await vscode.commands.executeCommand('brev.resumePlan', uri);
          return;
        case 'cancel':
          await vscode.commands.executeCommand('brev.cancelPlan', uri);
          return;
        case 'open':
          await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
          return;
      }
    }
    switch (message.action) {
      case 'runFrom':
        await vscode.commands.executeCommand('brev.runPlanFrom', uri, message.step);
        return;
      case 'cancel':
        await vscode.commands.executeCommand('brev.cancelPlan', uri, message.step);
        return;
      case 'log': {
        const jobId = this.#plans.known(uri)?.state?.steps[message.step]?.attempts.at(-1)?.jobId;
        if (jobId !== undefined) {
          await vscode.commands.executeCommand('brev.showJobLog', { kind: 'job', id: jobId });
        }
        return;
      }
    }
  }
}
