import { cancelJob } from './cancelJob.ts';
import { checkReadiness } from './checkReadiness.ts';
import { choosePath } from './choosePath.ts';
import type { Command } from './command.ts';
import { copyInstanceName } from './copyInstanceName.ts';
import { createInstance } from './createInstance.ts';
import { deleteInstance } from './deleteInstance.ts';
import { installCli } from './installCli.ts';
import { openConsole } from './openConsole.ts';
import { openShell } from './openShell.ts';
import { refresh } from './refresh.ts';
import { runCommand } from './runCommand.ts';
import { runSpec } from './runSpec.ts';
import { runSpecOnInstance } from './runSpecOnInstance.ts';
import { showJobLog } from './showJobLog.ts';
import { showLog } from './showLog.ts';
import { signIn } from './signIn.ts';
import { startInstance } from './startInstance.ts';
import { stopInstance } from './stopInstance.ts';

/** Every command of the extension; package.json declares the same ids. */
export const allCommands: readonly Command[] = [
  cancelJob,
  checkReadiness,
  choosePath,
  copyInstanceName,
  createInstance,
  deleteInstance,
  installCli,
  openConsole,
  openShell,
  refresh,
  runCommand,
  runSpec,
  runSpecOnInstance,
  showJobLog,
  showLog,
  signIn,
  startInstance,
  stopInstance,
];
