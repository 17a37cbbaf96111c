import type { ActionId, Failure } from '../../values/failure.ts';
import { type Message, message } from '../../values/message.ts';
import type { CredentialName } from '../credentials.ts';

/** The commands of ours that a fix can be. */
export type FixCommand =
  | 'brev.installCli'
  | 'brev.choosePath'
  | 'brev.useWsl'
  | 'brev.signIn'
  | 'brev.enterCredential'
  | 'brev.switchOrganisation'
  | 'brev.openConsole'
  | 'brev.installSdk'
  | 'brev.showLog';

/** What repairs a failed check. It is done only when the user agrees. */
export type Fix =
  /** Run in a visible terminal; the arguments are shown before. */
  | {
      readonly kind: 'terminal';
      readonly title: Message;
      readonly program: 'brev';
      readonly args: readonly string[];
    }
  | {
      readonly kind: 'command';
      readonly title: Message;
      readonly id: FixCommand;
      /** What the command gets; `brev.enterCredential` the name to ask for. */
      readonly argument?: CredentialName;
    }
  | { readonly kind: 'chmod'; readonly title: Message; readonly path: string; readonly mode: number }
  | { readonly kind: 'installExtension'; readonly title: Message; readonly extensionId: string }
  | { readonly kind: 'openUrl'; readonly title: Message; readonly url: string };

export function runBrev(title: Message, ...args: readonly string[]): Fix {
  return { kind: 'terminal', title, program: 'brev', args };
}

/** The fix of what a call of the CLI said; undefined when only waiting or asking somebody helps. */
export function fixFor(failure: Failure): Fix | undefined {
  return failure.action === undefined ? undefined : fixOf(failure.action);
}

function fixOf(action: ActionId): Fix | undefined {
  switch (action) {
    case 'openInstallPage':
      return command(message('Install the Brev CLI'), 'brev.installCli');
    case 'chooseCliPath':
      return command(message('Choose Its Path…'), 'brev.choosePath');
    case 'signIn':
      return command(message('Sign In…'), 'brev.signIn');
    case 'enterToken':
      return enterCredential(message('Enter a New Token…'), 'BREV_API_TOKEN');
    case 'enterNgcKey':
      return enterCredential(message('Enter the NGC Key…'), 'NGC_KEY');
    case 'openConsole':
      return command(message('Open the Brev Console'), 'brev.openConsole');
    case 'showLog':
      return command(message('Show the Log'), 'brev.showLog');
    case 'installSdk':
      return command(message('Install the TAO SDK…'), 'brev.installSdk');
    case 'enterLeptonToken':
      return enterCredential(message('Enter the Lepton Token…'), 'LEPTON_WORKSPACE_TOKEN');
    case 'refresh':
    case 'pickOffer':
    case 'pickPlacement':
    case 'waitUntilReady':
    case 'startInstance':
    case 'deleteInstance':
    case 'openLeptonPage':
    case 'enterHfToken':
    case 'showJobLog':
    case 'retryJob':
    case 'openSpec':
    case 'changeRun':
    case 'openShell':
      return undefined;
  }
}

export function command(title: Message, id: FixCommand): Fix {
  return { kind: 'command', title, id };
}

/** Asks for a token or key, and keeps it. */
export function enterCredential(title: Message, name: CredentialName): Fix {
  return { kind: 'command', title, id: 'brev.enterCredential', argument: name };
}
