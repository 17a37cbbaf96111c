/** The ids of all commands, as package.json declares them. */
export const commandIds = [
  'brev.cancelJob',
  'brev.checkReadiness',
  'brev.choosePath',
  'brev.choosePlacement',
  'brev.copyInstanceName',
  'brev.createInstance',
  'brev.deleteInstance',
  'brev.enterCredential',
  'brev.installCli',
  'brev.offerWayOut',
  'brev.openConsole',
  'brev.openShell',
  'brev.refresh',
  'brev.resetInstance',
  'brev.runCommand',
  'brev.runSpec',
  'brev.runSpecOnInstance',
  'brev.showJobLog',
  'brev.showLog',
  'brev.signIn',
  'brev.signOut',
  'brev.startInstance',
  'brev.stopInstance',
  'brev.switchOrganisation',
] as const;

export type CommandId = (typeof commandIds)[number];
