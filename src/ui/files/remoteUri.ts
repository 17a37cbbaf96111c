import * as vscode from 'vscode';

/** The scheme of files on instances. */
export const REMOTE_SCHEME = 'brev-files';

/** A file on an instance; the name in front of the path is only for the eyes. */
export function remoteUri(instanceId: string, path: string): vscode.Uri {
  return vscode.Uri.from({ scheme: REMOTE_SCHEME, authority: instanceId, path });
}
