import type { Message } from './message.ts';

/** What went wrong, as the user would name it. */
export type FailureKind =
  | 'cliMissing'
  | 'cliNotExecutable'
  | 'cliTooOld'
  | 'signedOut'
  | 'tokenStale'
  | 'apiKeyLimited'
  | 'forbidden'
  | 'offline'
  | 'serverError'
  | 'timedOut'
  | 'unreadableAnswer'
  | 'instanceNotFound'
  | 'instanceNotRunning'
  | 'instanceStarting'
  | 'unusableName'
  | 'nameTaken'
  | 'nameBeingDeleted'
  | 'unknownType'
  | 'noCapacity'
  | 'createOutcomeUnknown'
  | 'createFailed'
  | 'placementNeeded'
  | 'notStoppable'
  | 'notReadyYet'
  | 'unreachable'
  | 'hostUnresolvable'
  | 'noSshAccess'
  | 'stuckProvisioning'
  | 'sshConfigBroken'
  | 'multiNode'
  | 'noOrganisation'
  | 'crashed'
  | 'unsupportedFlag'
  | 'remoteFailed'
  | 'dockerMissing'
  | 'dockerDaemonDown'
  | 'gpuRuntimeMissing'
  | 'registryLogin'
  | 'registryForbidden'
  | 'imageMissing'
  | 'diskFull'
  | 'specUnreadable'
  | 'localFile'
  | 'jobLost'
  | 'unexpected';

/** What the user can do about it; src/ui/actions.ts gives each its button. */
export type ActionId =
  | 'openInstallPage'
  | 'chooseCliPath'
  | 'signIn'
  | 'enterToken'
  | 'refresh'
  | 'showLog'
  | 'pickOffer'
  | 'pickPlacement'
  | 'waitUntilReady'
  | 'startInstance'
  | 'deleteInstance'
  | 'openConsole'
  | 'enterNgcKey'
  | 'enterHfToken'
  | 'showJobLog'
  | 'retryJob'
  | 'openSpec'
  | 'changeRun'
  | 'openShell'
  | 'openLeptonPage'
  | 'enterLeptonToken'
  | 'installSdk';

/** An error as a value: fit to be shown, with its next step. */
export interface Failure {
  readonly kind: FailureKind;
  readonly message: Message;
  readonly action?: ActionId;
  /** True when doing the same again can neither buy nor repeat anything. */
  readonly retrySafe: boolean;
  /** The whole text behind it, redacted, for the log. */
  readonly detail?: string;
}
