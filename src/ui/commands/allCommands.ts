import { adoptJob } from './adoptJob.ts';
import { browseFiles } from './browseFiles.ts';
import { cancelJob } from './cancelJob.ts';
import { cancelPlan } from './cancelPlan.ts';
import { changeRun } from './changeRun.ts';
import { checkReadiness } from './checkReadiness.ts';
import { choosePath } from './choosePath.ts';
import { choosePlacement } from './choosePlacement.ts';
import type { Command } from './command.ts';
import type { CommandId } from './commandIds.ts';
import { compareJobs } from './compareJobs.ts';
import { copyInstanceName } from './copyInstanceName.ts';
import { copyRemotePath } from './copyRemotePath.ts';
import { createInstance } from './createInstance.ts';
import { createPlan } from './createPlan.ts';
import { deleteInstance } from './deleteInstance.ts';
import { deployLaunchable } from './deployLaunchable.ts';
import { downloadFile } from './downloadFile.ts';
import { downloadResults } from './downloadResults.ts';
import { enterCredential } from './enterCredential.ts';
import { finishEphemeral } from './finishEphemeral.ts';
import { fixCheck } from './fixCheck.ts';
import { forwardPort } from './forwardPort.ts';
import { groupJobs } from './groupJobs.ts';
import { helpShell } from './helpShell.ts';
import { installCli } from './installCli.ts';
import { installSdk } from './installSdk.ts';
import { offerWayOut } from './offerWayOut.ts';
import { openConsole } from './openConsole.ts';
import { openJobLogFile } from './openJobLogFile.ts';
import { openRemoteSsh } from './openRemoteSsh.ts';
import { openShell } from './openShell.ts';
import { refresh } from './refresh.ts';
import { refreshFiles } from './refreshFiles.ts';
import { resetInstance } from './resetInstance.ts';
import { resumePlan } from './resumePlan.ts';
import { retryJob } from './retryJob.ts';
import { runCommand } from './runCommand.ts';
import { runCommandAsJob } from './runCommandAsJob.ts';
import { runPlan } from './runPlan.ts';
import { runPlanFrom } from './runPlanFrom.ts';
import { runSetupChecks } from './runSetupChecks.ts';
import { runSpec } from './runSpec.ts';
import { runSpecOnInstance } from './runSpecOnInstance.ts';
import { runSpecOnLepton } from './runSpecOnLepton.ts';
import { showAllTypes } from './showAllTypes.ts';
import { showJobLog } from './showJobLog.ts';
import { showJobPanel } from './showJobPanel.ts';
import { showLog } from './showLog.ts';
import { showPlan } from './showPlan.ts';
import { showPorts } from './showPorts.ts';
import { showResults } from './showResults.ts';
import { signIn } from './signIn.ts';
import { signOut } from './signOut.ts';
import { startInstance } from './startInstance.ts';
import { stopInstance } from './stopInstance.ts';
import { switchOrganisation } from './switchOrganisation.ts';
import { uploadResults } from './uploadResults.ts';
import { uploadToInstance } from './uploadToInstance.ts';
import { useWsl } from './useWsl.ts';

/** Every command of the extension, by its id. */
export const allCommands: Readonly<Record<CommandId, Command>> = {
  'brev.adoptJob': adoptJob,
  'brev.cancelJob': cancelJob,
  'brev.changeRun': changeRun,
  'brev.checkReadiness': checkReadiness,
  'brev.choosePath': choosePath,
  'brev.choosePlacement': choosePlacement,
  'brev.compareJobs': compareJobs,
  'brev.copyInstanceName': copyInstanceName,
  'brev.createInstance': createInstance,
  'brev.deleteInstance': deleteInstance,
  'brev.deployLaunchable': deployLaunchable,
  'brev.downloadResults': downloadResults,
  'brev.enterCredential': enterCredential,
  'brev.finishEphemeral': finishEphemeral,
  'brev.fixCheck': fixCheck,
  'brev.groupJobs': groupJobs,
  'brev.helpShell': helpShell,
  'brev.installCli': installCli,
  'brev.installSdk': installSdk,
  'brev.offerWayOut': offerWayOut,
  'brev.openConsole': openConsole,
  'brev.openJobLogFile': openJobLogFile,
  'brev.openShell': openShell,
  'brev.refresh': refresh,
  'brev.resetInstance': resetInstance,
  'brev.retryJob': retryJob,
  'brev.runCommand': runCommand,
  'brev.runCommandAsJob': runCommandAsJob,
  'brev.runSetupChecks': runSetupChecks,
  'brev.runSpec': runSpec,
  'brev.runSpecOnInstance': runSpecOnInstance,
  'brev.showAllTypes': showAllTypes,
  'brev.runSpecOnLepton': runSpecOnLepton,
  'brev.showJobLog': showJobLog,
  'brev.showJobPanel': showJobPanel,
  'brev.showLog': showLog,
  'brev.showResults': showResults,
  'brev.signIn': signIn,
  'brev.signOut': signOut,
  'brev.startInstance': startInstance,
  'brev.stopInstance': stopInstance,
  'brev.switchOrganisation': switchOrganisation,
  'brev.uploadResults': uploadResults,
  'brev.browseFiles': browseFiles,
  'brev.copyRemotePath': copyRemotePath,
  'brev.downloadFile': downloadFile,
  'brev.forwardPort': forwardPort,
  'brev.openRemoteSsh': openRemoteSsh,
  'brev.refreshFiles': refreshFiles,
  'brev.showPorts': showPorts,
  'brev.uploadToInstance': uploadToInstance,
  'brev.useWsl': useWsl,
  'brev.runPlan': runPlan,
  'brev.resumePlan': resumePlan,
  'brev.runPlanFrom': runPlanFrom,
  'brev.cancelPlan': cancelPlan,
  'brev.showPlan': showPlan,
  'brev.createPlan': createPlan,
};
