import * as vscode from 'vscode';
import type { InstanceGauges } from '../../instances/gauges.ts';
import type { Instance } from '../../instances/instance.ts';
import type { Offers } from '../../instances/offers.ts';
import type { ReadinessWatch } from '../../instances/readinessWatch.ts';
import type { InstanceStore, Listing } from '../../instances/store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Unsubscribe } from '../../values/emitter.ts';
import { setContextKey } from '../contextKeys.ts';
import { jobItem } from '../jobs/jobItem.ts';
import type { JobProgress } from '../jobs/jobProgress.ts';
import { type FindRoute, tooltipOf } from '../jobs/routeWords.ts';
import { localize } from '../localize.ts';
import { type InstanceFacts, instanceItem } from './instanceItem.ts';
import { instanceTooltip } from './instanceTooltip.ts';
import type { InstanceNode, JobNode, Node } from './nodes.ts';

export interface InstancesViewOptions {
  readonly store: InstanceStore;
  readonly offers: Offers;
  readonly readiness: ReadinessWatch;
  readonly jobs: Jobs;
  readonly progress: Pick<JobProgress, 'onChange' | 'silence' | 'words'>;
  readonly gauges: InstanceGauges;
  readonly route: FindRoute;
}

/** How many ended jobs an instance shows. */
const MAX_ENDED_JOBS = 3;

/** The sidebar: instances, and under each what runs on it. It reads the stores and calls nothing. */
export class InstancesView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #options: InstancesViewOptions;
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly #nodes = new Map<string, Node>();
  readonly #view: vscode.TreeView<Node>;
  readonly #subscriptions: Unsubscribe[];
  #stopWatching: Unsubscribe | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(options: InstancesViewOptions) {
    this.#options = options;
    this.#view = vscode.window.createTreeView('brev.instances', {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
    });
    const visibility = this.#view.onDidChangeVisibility(() => this.#watchWhileVisible());
    this.#subscriptions = [
      options.store.onChange((change) => {
        this.#showListing();
        if (change.listing || change.added.length > 0) {
          this.#loadPrices();
        }
        if (change.listing || change.added.length > 0 || change.removed.length > 0) {
          this.#changed.fire(undefined);
          return;
        }
        for (const { after } of change.changed) {
          this.#changed.fire(this.#node('instance', after.id));
        }
      }),
      options.offers.onLoad(() => this.#changed.fire(undefined)),
      options.readiness.onChange((state) => this.#changed.fire(this.#node('instance', state.id))),
      options.progress.onChange((id) => this.#changed.fire(this.#node('job', id))),
      options.gauges.onChange((id) => this.#changed.fire(this.#node('instance', id))),
      options.jobs.onChange((job) => this.#changed.fire(this.#node('instance', job.details.instanceId))),
      () => visibility.dispose(),
    ];
    this.#watchWhileVisible();
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.kind === 'job') {
      const job = this.#options.jobs.find(node.id);
      return job === undefined
        ? new vscode.TreeItem(node.id)
        : jobItem(node, job, this.#options.progress.words(node.id));
    }
    const facts = this.#facts(node);
    return facts === undefined ? new vscode.TreeItem(node.id) : instanceItem(node, facts);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    if (node.kind === 'job') {
      const job = this.#options.jobs.find(node.id);
      item.tooltip =
        job === undefined ? '' : await tooltipOf(job, this.#options.route, this.#options.progress);
    } else {
      const facts = this.#facts(node);
      item.tooltip = facts === undefined ? '' : instanceTooltip(facts, this.#options.gauges.now(node.id));
    }
    return item;
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) {
      return [...this.#options.store.instances]
        .sort(byName)
        .map((instance) => this.#node('instance', instance.id));
    }
    return node.kind === 'instance' ? this.#jobsOn(node) : [];
  }

  getParent(node: Node): Node | undefined {
    const job = node.kind === 'job' ? this.#options.jobs.find(node.id) : undefined;
    return job === undefined ? undefined : this.#node('instance', job.details.instanceId);
  }

  dispose(): void {
    for (const unsubscribe of this.#subscriptions) {
      unsubscribe();
    }
    this.#stopWatching?.();
    this.#view.dispose();
    this.#changed.dispose();
  }

  #jobsOn(node: InstanceNode): JobNode[] {
    const here = this.#options.jobs.all.filter((job) => job.details.instanceId === node.id);
    const live = here.filter((job) => job.state === 'PENDING' || job.state === 'RUNNING');
    const ended = here.filter((job) => !live.includes(job)).slice(0, MAX_ENDED_JOBS);
    return [...live, ...ended].map((job) => this.#node('job', job.details.id));
  }

  #facts(node: InstanceNode): InstanceFacts | undefined {
    const instance = this.#options.store.find(node.id);
    if (instance === undefined) {
      return undefined;
    }
    return {
      instance,
      offer: this.#options.offers.known(instance.type),
      readiness: this.#options.readiness.state(node.id),
      hasJobs: this.#options.jobs.all.some((job) => job.details.instanceId === node.id),
      stale: this.#options.store.listing.kind === 'stale',
    };
  }

  #node<K extends Node['kind']>(kind: K, id: string): Extract<Node, { kind: K }>;
  #node(kind: Node['kind'], id: string): Node {
    const key = `${kind}:${id}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) {
      return known;
    }
    const node: Node = { kind, id };
    this.#nodes.set(key, node);
    return node;
  }

  #watchWhileVisible(): void {
    if (!this.#view.visible) {
      this.#stopWatching?.();
      this.#stopWatching = undefined;
      return;
    }
    this.#stopWatching ??= this.#options.store.watch();
    const fresh = this.#options.store.refresh();
    if (this.#options.store.listing.kind === 'unknown') {
      void vscode.window.withProgress({ location: { viewId: 'brev.instances' } }, () => fresh);
    }
    void fresh.then(() => this.#loadPrices());
  }

  /** Prices belong to rows that are seen; they are fetched once for a while. */
  #loadPrices(): void {
    const { listing } = this.#options.store;
    if (this.#view.visible && listing.kind === 'listed' && listing.instances.length > 0) {
      void this.#options.offers.load();
    }
  }

  #showListing(): void {
    const { listing } = this.#options.store;
    setContextKey('brev.state', contextState(listing));
    const said = listingMessage(listing);
    // a message would hide the welcome text with its buttons, which stands where there are no rows
    const hasRows = this.#options.store.instances.length > 0;
    this.#view.message = hasRows ? said : '';
    this.#view.description = hasRows || welcomeSaysIt(listing) ? '' : said;
  }
}

function byName(a: Instance, b: Instance): number {
  return a.name.localeCompare(b.name) || a.id.localeCompare(b.id);
}

function contextState(listing: Listing): Parameters<typeof setContextKey<'brev.state'>>[1] {
  switch (listing.kind) {
    case 'unknown':
      return 'unknown';
    case 'listed':
      return listing.instances.length === 0 ? 'empty' : 'listed';
    case 'stale':
    case 'failed':
      if (listing.kind === 'stale' && listing.instances.length > 0) {
        return 'listed';
      }
      switch (listing.failure.kind) {
        case 'cliMissing':
        case 'cliNotExecutable':
          return 'noCli';
        case 'signedOut':
        case 'tokenStale':
        case 'offline':
          return listing.failure.kind;
        default:
          return 'failed';
      }
  }
}

/** Whether the welcome text of the state is the reason itself. */
function welcomeSaysIt(listing: Listing): boolean {
  if (listing.kind !== 'failed' && listing.kind !== 'stale') {
    return false;
  }
  const { kind, action } = listing.failure;
  return (
    kind === 'signedOut' || kind === 'offline' || (kind === 'cliMissing' && action === 'openInstallPage')
  );
}

function listingMessage(listing: Listing): string {
  switch (listing.kind) {
    case 'unknown':
      return '';
    case 'failed':
      return localize(listing.failure.message);
    case 'stale': {
      const time = new Date(listing.at).toLocaleTimeString();
      return vscode.l10n.t('As of {0}. {1}', time, localize(listing.failure.message));
    }
    case 'listed':
      return listing.unreadable === 0
        ? ''
        : vscode.l10n.t('{0} more could not be read; see the log.', listing.unreadable);
  }
}
