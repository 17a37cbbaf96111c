import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { isTerminal } from '../../jobs/job.ts';
import type { Parts } from '../parts.ts';
import { webviewPage } from '../webviewPage.ts';
import { describeJob, faultOf } from './describeJob.ts';
import type { FromPage, PanelJob, ToPage } from './protocol.ts';
import { panelWords } from './words.ts';

export const VIEW_TYPE = 'brev.job';
/** How often curves and times are brought up to date while a job runs. */
const REFRESH_MS = 1_000;

const BODY = `<div id="jobs"></div>
<p id="empty"></p>
<div id="charts"></div>
<p id="exports"><button id="csv"></button><button id="png"></button></p>
<table id="table"></table>`;

const pageState = z.object({ jobIds: z.array(z.string()) });

/** The job panels: curves and facts of one job, or of several over each other. */
export class JobPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #parts: () => Parts;
  readonly #extension: vscode.Uri;
  readonly #open = new Set<OpenPanel>();

  constructor(extension: vscode.Uri, parts: () => Parts) {
    this.#extension = extension;
    this.#parts = parts;
  }

  /** Opens the panel of these jobs, or shows the one that is open already. */
  show(jobIds: readonly string[]): void {
    const key = jobIds.join(' ');
    const known = [...this.#open].find((panel) => panel.key === key);
    if (known !== undefined) {
      known.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(VIEW_TYPE, jobIds.join(', '), {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
    });
    this.#fill(panel, jobIds);
  }

  /** Opens a panel again that was open when the window was closed. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const parsed = z.safeParse(pageState, state);
    if (!parsed.success || parsed.data.jobIds.length === 0) {
      panel.dispose();
      return;
    }
    // right after the start no job is known yet: none of them is missing
    await this.#parts().jobs.resume();
    this.#fill(panel, parsed.data.jobIds);
  }

  /** What a panel shows of a job, for tests and tools too. */
  async describe(jobId: string): Promise<PanelJob | undefined> {
    const parts = this.#parts();
    const job = parts.jobs.find(jobId);
    return job === undefined ? undefined : describeJob(parts, job, await (await parts.readings()).read(job));
  }

  dispose(): void {
    for (const panel of this.#open) {
      panel.dispose();
    }
  }

  #fill(panel: vscode.WebviewPanel, jobIds: readonly string[]): void {
    const media = vscode.Uri.joinPath(this.#extension, 'dist', 'jobPanel');
    panel.title = jobIds.join(', ');
    panel.webview.options = { enableScripts: true, localResourceRoots: [media] };
    const open = new OpenPanel(
      panel,
      jobIds,
      this.#parts,
      (id) => this.describe(id),
      () => this.#open.delete(open),
    );
    this.#open.add(open);
    panel.webview.html = webviewPage(panel.webview, media, {
      body: BODY,
      style: 'panel.css',
      images: 'data:',
    });
  }
}

class OpenPanel implements vscode.Disposable {
  readonly key: string;
  readonly #panel: vscode.WebviewPanel;
  readonly #jobIds: readonly string[];
  readonly #parts: () => Parts;
  readonly #describe: (id: string) => Promise<PanelJob | undefined>;
  readonly #subscriptions: vscode.Disposable[];
  #timer: NodeJS.Timeout | undefined;
  #ready = false;

  constructor(
    panel: vscode.WebviewPanel,
    jobIds: readonly string[],
    parts: () => Parts,
    describe: (id: string) => Promise<PanelJob | undefined>,
    closed: () => void,
  ) {
    this.key = jobIds.join(' ');
    this.#panel = panel;
    this.#jobIds = jobIds;
    this.#parts = parts;
    this.#describe = describe;
    this.#subscriptions = [
      panel.webview.onDidReceiveMessage((message: FromPage) => void this.#receive(message)),
      panel.onDidChangeViewState(() => void this.#update()),
      panel.onDidDispose(() => {
        closed();
        clearTimeout(this.#timer);
        vscode.Disposable.from(...this.#subscriptions).dispose();
      }),
      new vscode.Disposable(
        parts().jobs.onChange((job) => {
          if (jobIds.includes(job.details.id)) {
            void this.#update();
          }
        }),
      ),
    ];
  }

  reveal(): void {
    this.#panel.reveal(undefined, true);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  /** Sends what is known now; again soon while it is seen and something runs. */
  async #update(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.#ready || !this.#panel.visible) {
      return;
    }
    const described = await Promise.all(this.#jobIds.map((id) => this.#describe(id)));
    const jobs = described.filter((job) => job !== undefined);
    this.#send({
      kind: 'jobs',
      jobIds: this.#jobIds,
      jobs,
      missing: this.#jobIds
        .filter((id) => !jobs.some((job) => job.id === id))
        .map((id) =>
          vscode.l10n.t('Nothing is known of {0} any more: it was removed from this computer.', id),
        ),
    });
    const live = this.#jobIds.some((id) => {
      const job = this.#parts().jobs.find(id);
      return job !== undefined && !isTerminal(job.state);
    });
    if (live) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#update(), REFRESH_MS);
    }
  }

  async #receive(message: FromPage): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.#ready = true;
        this.#send({ kind: 'words', words: panelWords() });
        await this.#update();
        return;
      case 'action':
        await this.#act(message.action, message.jobId);
        return;
      case 'save':
        await save(message);
        return;
    }
  }

  async #act(action: Extract<FromPage, { kind: 'action' }>['action'], jobId: string): Promise<void> {
    const job = this.#parts().jobs.find(jobId);
    if (job === undefined) {
      return;
    }
    const node = { kind: 'job', id: jobId };
    switch (action) {
      case 'openLog':
        await vscode.commands.executeCommand('brev.showJobLog', node);
        return;
      case 'openSpec':
        if (job.details.specUri !== '') {
          await vscode.window.showTextDocument(vscode.Uri.parse(job.details.specUri));
        }
        return;
      case 'results':
        await vscode.commands.executeCommand('brev.showResults', node);
        return;
      case 'fix': {
        const { summary } = await (await this.#parts().readings()).read(job);
        const action = (await faultOf(this.#parts(), job, summary.trouble))?.action;
        if (action !== undefined) {
          await vscode.commands.executeCommand(action.command, ...action.args);
        }
        return;
      }
      case 'compare':
        await vscode.commands.executeCommand('brev.compareJobs', node);
        return;
    }
  }

  #send(message: ToPage): void {
    void this.#panel.webview.postMessage(message);
  }
}

async function save({ base64, format, name }: Extract<FromPage, { kind: 'save' }>): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = `${name.slice(0, 80)}.${format}`;
  const target = await vscode.window.showSaveDialog({
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, file) }),
    filters: format === 'csv' ? { CSV: ['csv'] } : { PNG: ['png'] },
  });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, Buffer.from(base64, 'base64'));
  }
}
