import * as vscode from 'vscode';
import type { Instance } from '../../instances/instance.ts';
import type { InstanceStore } from '../../instances/store.ts';
import type { Shells } from '../../remote/shells.ts';
import type { Unsubscribe } from '../../values/emitter.ts';
import type { Failure } from '../../values/failure.ts';
import { localize } from '../localize.ts';
import { fileItem } from './fileItem.ts';
import type { FileNode } from './fileNode.ts';

export interface FilesViewOptions {
  readonly store: InstanceStore;
  readonly shells: () => Promise<Shells>;
  readonly log: (line: string) => void;
  /** Brings files and folders of this computer into a folder of an instance. */
  readonly upload: (sources: readonly vscode.Uri[], instance: Instance, folder: string) => Promise<void>;
}

const LIST_TIMEOUT_MS = 120_000;
const DROPPED = 'text/uri-list';

/** The Files view: what is on one instance, folder by folder. Nothing is asked of an instance before the user chose it. */
export class FilesView
  implements vscode.TreeDataProvider<FileNode>, vscode.TreeDragAndDropController<FileNode>, vscode.Disposable
{
  readonly dropMimeTypes = [DROPPED];
  readonly dragMimeTypes: string[] = [];
  readonly #options: FilesViewOptions;
  readonly #changed = new vscode.EventEmitter<FileNode | undefined>();
  readonly #view: vscode.TreeView<FileNode>;
  readonly #unsubscribe: Unsubscribe;
  readonly #abort = new AbortController();
  #instance: Instance | undefined;
  #home = '';

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(options: FilesViewOptions) {
    this.#options = options;
    this.#view = vscode.window.createTreeView('brev.files', {
      treeDataProvider: this,
      dragAndDropController: this,
      showCollapseAll: true,
    });
    this.#unsubscribe = options.store.onChange(({ removed }) => {
      if (removed.some(({ id }) => id === this.#instance?.id)) {
        this.#instance = undefined;
        this.#view.description = '';
        this.#view.message = '';
        this.#changed.fire(undefined);
      }
    });
  }

  /** The instance whose files are shown. */
  get instance(): Instance | undefined {
    return this.#instance;
  }

  /** Its home directory; empty until it was seen. */
  get home(): string {
    return this.#home;
  }

  async show(instance: Instance): Promise<void> {
    this.#instance = instance;
    this.#home = '';
    this.#view.description = instance.name;
    this.#changed.fire(undefined);
    await vscode.commands.executeCommand('brev.files.focus');
  }

  /** Lists a folder anew, or all that is shown. */
  refresh(folder?: FileNode): void {
    this.#changed.fire(folder);
  }

  getTreeItem(node: FileNode): vscode.TreeItem {
    return fileItem(node);
  }

  async getChildren(node?: FileNode): Promise<FileNode[]> {
    const instance = this.#instance;
    if (instance === undefined) {
      return [];
    }
    const shell = await (await this.#options.shells()).shell({
      instanceId: instance.id,
      instanceName: instance.name,
    });
    const { listFolder } = await import('../../remote/remoteFolder.ts');
    const listed =
      shell.kind === 'ok'
        ? await listFolder(shell.value, node?.path ?? '', {
            timeoutMs: LIST_TIMEOUT_MS,
            signal: this.#abort.signal,
          })
        : shell;
    if (instance !== this.#instance || listed.kind === 'cancelled') {
      return [];
    }
    if (listed.kind === 'failed') {
      this.#say(listed.failure);
      return [];
    }
    const { entries, isCut, path } = listed.value;
    if (node === undefined) {
      this.#home = path;
    }
    this.#view.message = isCut
      ? vscode.l10n.t('{0} has more than {1} entries; the first ones are shown.', path, entries.length)
      : '';
    return entries.map((entry) => ({
      kind: 'file',
      instanceId: instance.id,
      path: path === '/' ? `/${entry.name}` : `${path}/${entry.name}`,
      entry,
    }));
  }

  async handleDrop(target: FileNode | undefined, data: vscode.DataTransfer): Promise<void> {
    const list = await data.get(DROPPED)?.asString();
    const sources = (list ?? '')
      .split(/\r?\n/)
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => vscode.Uri.parse(line, true));
    const folder = this.folderOf(target);
    if (this.#instance !== undefined && folder !== '' && sources.length > 0) {
      await this.#options.upload(sources, this.#instance, folder);
      this.refresh();
    }
  }

  /** The folder itself, the one that a file is in, or the home directory. */
  folderOf(node: FileNode | undefined): string {
    return node === undefined
      ? this.#home
      : node.entry.kind === 'folder'
        ? node.path
        : node.path.slice(0, Math.max(1, node.path.lastIndexOf('/')));
  }

  dispose(): void {
    this.#abort.abort();
    this.#unsubscribe();
    this.#view.dispose();
    this.#changed.dispose();
  }

  #say(failure: Failure): void {
    this.#view.message = localize(failure.message);
    this.#options.log(`files: ${failure.kind}: ${localize(failure.message)}\n${failure.detail ?? ''}`);
  }
}
