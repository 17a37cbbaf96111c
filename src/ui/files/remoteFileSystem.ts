import * as vscode from 'vscode';
import type { InstanceStore } from '../../instances/store.ts';
import type { RemoteEntry } from '../../remote/remoteFolder.ts';
import type { RemoteShell } from '../../remote/shell.ts';
import type { Shells } from '../../remote/shells.ts';
import type { Outcome } from '../../values/outcome.ts';
import { localize } from '../localize.ts';
import { formatBytes } from './fileItem.ts';

export interface RemoteFileSystemOptions {
  readonly store: InstanceStore;
  readonly shells: () => Promise<Shells>;
}

const TIMEOUT_MS = 300_000;
/** An editor holds it in memory; what is larger is downloaded. */
const LARGEST = 50 * 1024 * 1024;

/** Files on instances, to be opened in editors of any kind: text, images, notebooks. They can't be changed here. */
export class RemoteFileSystem implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #options: RemoteFileSystemOptions;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #abort = new AbortController();

  readonly onDidChangeFile = this.#changed.event;

  constructor(options: RemoteFileSystemOptions) {
    this.#options = options;
  }

  /** A file that is open is read when it is opened; watching it would poll an instance. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { lookAt } = await import('../../remote/remoteFolder.ts');
    const entry = this.#value(uri, await lookAt(await this.#shell(uri), uri.path, this.#limits));
    return { type: typeOf(entry), ctime: 0, mtime: entry.modifiedAt, size: entry.bytes };
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const { listFolder } = await import('../../remote/remoteFolder.ts');
    const folder = this.#value(uri, await listFolder(await this.#shell(uri), uri.path, this.#limits));
    return folder.entries.map((entry) => [entry.name, typeOf(entry)]);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { lookAt } = await import('../../remote/remoteFolder.ts');
    const shell = await this.#shell(uri);
    const { bytes } = this.#value(uri, await lookAt(shell, uri.path, this.#limits));
    if (bytes > LARGEST) {
      throw vscode.FileSystemError.Unavailable(
        vscode.l10n.t('{0} has {1}: download it instead.', uri.path, formatBytes(bytes)),
      );
    }
    const chunks: Uint8Array[] = [];
    this.#value(uri, await shell.download(uri.path, (chunk) => chunks.push(chunk.slice()), this.#limits));
    return Buffer.concat(chunks);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#abort.abort();
    this.#changed.dispose();
  }

  get #limits(): { readonly timeoutMs: number; readonly signal: AbortSignal } {
    return { timeoutMs: TIMEOUT_MS, signal: this.#abort.signal };
  }

  /** A window that opens with such a file has no list yet: then one is fetched; nothing runs on a machine that is off. */
  async #shell(uri: vscode.Uri): Promise<RemoteShell> {
    const { shells, store } = this.#options;
    const instanceName = store.find(uri.authority)?.name ?? uri.authority;
    return this.#value(uri, await (await shells()).shell({ instanceId: uri.authority, instanceName }));
  }

  #value<T>(uri: vscode.Uri, outcome: Outcome<T>): T {
    switch (outcome.kind) {
      case 'ok':
        return outcome.value;
      case 'failed':
        throw vscode.FileSystemError.Unavailable(localize(outcome.failure.message));
      case 'cancelled':
        throw vscode.FileSystemError.Unavailable(uri);
    }
  }
}

function typeOf({ kind, isLink }: RemoteEntry): vscode.FileType {
  const link = isLink ? vscode.FileType.SymbolicLink : 0;
  switch (kind) {
    case 'file':
      return vscode.FileType.File | link;
    case 'folder':
      return vscode.FileType.Directory | link;
    case 'other':
      return vscode.FileType.Unknown | link;
  }
}
