import { cancelJob } from './cancelJob.ts';
import { checkReadiness } from './checkReadiness.ts';
import { choosePath } from './choosePath.ts';
import { choosePlacement } from './choosePlacement.ts';
import type { Command } from './command.ts';
import { copyInstanceName } from './copyInstanceName.ts';
import { createInstance } from './createInstance.ts';
import { deleteInstance } from './deleteInstance.ts';
import { enterCredential } from './enterCredential.ts';
import { installCli } from './installCli.ts';
import { offerWayOut } from './offerWayOut.ts';
import { openConsole } from './openConsole.ts';
import { openShell } from './openShell.ts';
import { refresh } from './refresh.ts';
import { resetInstance } from './resetInstance.ts';
import { runCommand } from './runCommand.ts';
import { runSpec } from './runSpec.ts';
import { runSpecOnInstance } from './runSpecOnInstance.ts';
import { showJobLog } from './showJobLog.ts';
import { showLog } from './showLog.ts';
import { signIn } from './signIn.ts';
import { signOut } from './signOut.ts';
import { startInstance } from './startInstance.ts';
import { stopInstance } from './stopInstance.ts';
import { switchOrganisation } from './switchOrganisation.ts';

/** Every command of the extension; package.json declares the same ids. */
export const allCommands: readonly Command[] = [
  cancelJob,
  checkReadiness,
  choosePath,
  choosePlacement,
  copyInstanceName,
  createInstance,
  deleteInstance,
  enterCredential,
  installCli,
  offerWayOut,
  openConsole,
  openShell,
  refresh,
  resetInstance,
  runCommand,
  runSpec,
  runSpecOnInstance,
  showJobLog,
  showLog,
  signIn,
  signOut,
  startInstance,
  stopInstance,
  switchOrganisation,
];
