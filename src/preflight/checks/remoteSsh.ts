import { message } from '../../values/message.ts';
import { type Check, LOCAL_LIMIT_MS, notPassed, passed } from './check.ts';

export const REMOTE_SSH = 'ms-vscode-remote.remote-ssh';
/** The last two are what builds of VS Code without Microsoft's Marketplace have instead. */
export const remoteSshExtensions: readonly string[] = [
  REMOTE_SSH,
  'anysphere.remote-ssh',
  'jeanp413.open-remote-ssh',
];

/** Can an instance be opened as a folder in VS Code. */
export const remoteSsh: Check = {
  id: 'remoteSsh',
  title: message('Remote-SSH extension'),
  limitMs: LOCAL_LIMIT_MS,
  run: async ({ isExtensionInstalled }) => {
    const answers = remoteSshExtensions.map((id) => isExtensionInstalled(id));
    if (answers.includes(true)) {
      return passed(message('Installed: instances can be opened in VS Code.'));
    }
    const install = {
      kind: 'installExtension',
      title: message('Install Remote-SSH'),
      extensionId: REMOTE_SSH,
    } as const;
    return answers.includes(undefined)
      ? notPassed('unknown', message('It cannot be seen from here whether Remote-SSH is installed.'), install)
      : notPassed('warning', message('Not installed: needed only to open an instance in VS Code.'), install);
  },
};
