import { watch } from 'node:fs';
import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { jobStates } from '../../jobs/record.ts';
import type { JobNode } from '../instances/nodes.ts';
import { jobItem } from './jobItem.ts';
import type { JobProgress } from './jobProgress.ts';
import { platformWords } from './platformWords.ts';
import { type FindRoute, tooltipOf } from './routeWords.ts';

type Grouping = 'instance' | 'state';
interface GroupNode {
  readonly kind: 'group';
  readonly id: string;
}
type Node = GroupNode | JobNode;

const GROUPING = 'jobsView.grouping';
/** Several records change together when a script writes them. */
const SETTLE_MS = 300;
/** The duration in the rows of running jobs. */
const TICK_MS = 15_000;

/** The Jobs view: this computer's jobs and the records of others, by instance or by state. */
export class JobsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #jobs: Jobs;
  readonly #progress: JobProgress;
  readonly #recordFolder: string;
  readonly #route: FindRoute;
  readonly #memory: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly #nodes = new Map<string, Node>();
  readonly #view: vscode.TreeView<Node>;
  readonly #subscriptions: vscode.Disposable[];
  #whileVisible: vscode.Disposable | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    jobs: Jobs,
    progress: JobProgress,
    recordFolder: string,
    memory: vscode.Memento,
    route: FindRoute,
  ) {
    this.#route = route;
    this.#jobs = jobs;
    this.#progress = progress;
    this.#recordFolder = recordFolder;
    this.#memory = memory;
    this.#view = vscode.window.createTreeView('brev.jobs', { treeDataProvider: this, showCollapseAll: true });
    this.#subscriptions = [
      new vscode.Disposable(jobs.onChange(() => this.#changed.fire(undefined))),
      new vscode.Disposable(progress.onChange((id) => this.#changed.fire(this.#node({ kind: 'job', id })))),
      this.#view.onDidChangeVisibility(() => this.#watchWhileVisible()),
      this.#view,
      this.#changed,
    ];
    this.#watchWhileVisible();
  }

  /** Groups by the other of the two; remembered between sessions. */
  async toggleGrouping(): Promise<void> {
    await this.#memory.update(GROUPING, this.#grouping === 'instance' ? 'state' : 'instance');
    this.#changed.fire(undefined);
  }

  getChildren(node?: Node): Node[] {
    if (node?.kind === 'job') {
      return [];
    }
    if (node === undefined) {
      const groups = [...new Set(this.#jobs.all.map((job) => this.#groupOf(job)))];
      return this.#sort(groups).map((id) => this.#node({ kind: 'group', id }));
    }
    return this.#jobs.all
      .filter((job) => this.#groupOf(job) === node.id)
      .map((job) => this.#node({ kind: 'job', id: job.details.id }));
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.kind === 'job') {
      const job = this.#jobs.find(node.id);
      const item =
        job === undefined ? new vscode.TreeItem(node.id) : jobItem(node, job, this.#progress.words(node.id));
      item.id = `jobs:${node.id}`;
      return item;
    }
    const item = new vscode.TreeItem(node.id, vscode.TreeItemCollapsibleState.Expanded);
    item.id = `group:${this.#grouping}:${node.id}`;
    const jobs = this.#jobs.all.filter((job) => this.#groupOf(job) === node.id);
    const live = jobs.filter((job) => !isTerminal(job.state)).length;
    const platform = this.#grouping === 'instance' ? jobs[0]?.details.platform : undefined;
    const words = platform === undefined ? undefined : platformWords(platform);
    item.description = [
      ...(words === undefined || platform === 'brev' || words.name === node.id ? [] : [words.name]),
      ...(live === 0 ? [] : [vscode.l10n.t('{0} not ended', live)]),
    ].join(' · ');
    item.iconPath = words?.icon ?? new vscode.ThemeIcon('list-tree');
    item.accessibilityInformation = { label: `${node.id}, ${item.description}` };
    return item;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    const job = node.kind === 'job' ? this.#jobs.find(node.id) : undefined;
    item.tooltip = job === undefined ? node.id : await tooltipOf(job, this.#route, this.#progress);
    return item;
  }

  getParent(node: Node): Node | undefined {
    const job = node.kind === 'job' ? this.#jobs.find(node.id) : undefined;
    return job === undefined ? undefined : this.#node({ kind: 'group', id: this.#groupOf(job) });
  }

  dispose(): void {
    this.#whileVisible?.dispose();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  get #grouping(): Grouping {
    return this.#memory.get<Grouping>(GROUPING, 'instance') === 'state' ? 'state' : 'instance';
  }

  #groupOf(job: Job): string {
    const { instanceName, platform } = job.details;
    return this.#grouping === 'state' ? job.state : instanceName || platformWords(platform).name;
  }

  #sort(groups: string[]): string[] {
    return this.#grouping === 'state'
      ? jobStates.filter((state) => groups.includes(state))
      : groups.sort((a, b) => a.localeCompare(b));
  }

  #node(node: Node): Node {
    const key = `${node.kind}:${node.id}`;
    const known = this.#nodes.get(key) ?? node;
    this.#nodes.set(key, known);
    return known;
  }

  #watchWhileVisible(): void {
    this.#whileVisible?.dispose();
    this.#whileVisible = undefined;
    if (!this.#view.visible) {
      return;
    }
    void this.#jobs.readForeign();
    let timer: NodeJS.Timeout | undefined;
    const tick = setInterval(() => {
      if (this.#jobs.all.some((job) => job.state === 'RUNNING')) {
        this.#changed.fire(undefined);
      }
    }, TICK_MS);
    const watcher = watchFolder(this.#recordFolder, () => {
      clearTimeout(timer);
      timer = setTimeout(() => void this.#jobs.readForeign(), SETTLE_MS);
    });
    this.#whileVisible = new vscode.Disposable(() => {
      clearTimeout(timer);
      clearInterval(tick);
      watcher?.close();
    });
  }
}

function watchFolder(folder: string, changed: () => void): ReturnType<typeof watch> | undefined {
  try {
    const watcher = watch(folder, changed);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    // no job has been recorded on this computer yet; the view looks again when it is opened
    return undefined;
  }
}
