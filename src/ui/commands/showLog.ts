import type { Command } from './command.ts';

/** Shows what the extension and the CLI said. */
export const showLog: Command = {
  id: 'brev.showLog',
  run: async (parts) => parts.log.show(),
};
