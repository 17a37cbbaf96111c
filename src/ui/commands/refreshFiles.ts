import { fileNodeFrom } from '../files/fileNode.ts';
import type { Command } from './command.ts';

/** Lists a folder of an instance anew, or all that the Files view shows. */
export const refreshFiles: Command = {
  id: 'brev.refreshFiles',
  run: async (parts, argument) => parts.files.refresh(fileNodeFrom(argument)),
};
