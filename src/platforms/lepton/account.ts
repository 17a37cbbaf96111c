import { type Message, message } from '../../values/message.ts';

/** Whose workspace, and where its REST interface is. The token is a secret. */
export interface LeptonAccount {
  readonly workspaceId: string;
  readonly token: string;
  /** The base of all paths, without a final slash. */
  readonly url: string;
}

/** The values as `lep` knows them in the environment (tao.md part 4). */
export const leptonVariables = [
  'LEPTON_WORKSPACE_ID',
  'LEPTON_WORKSPACE_TOKEN',
  'LEPTON_WORKSPACE_URL',
] as const;

export type LeptonVariable = (typeof leptonVariables)[number];

export type LeptonAccountReading =
  | { readonly kind: 'ok'; readonly account: LeptonAccount }
  /** Nothing is set: Lepton isn't used. */
  | { readonly kind: 'absent' }
  /** The variable is the one to be set, or to be set to something else. */
  | { readonly kind: 'unusable'; readonly sentence: Message; readonly variable: LeptonVariable };

const GATEWAY = 'https://gateway.dgxc-lepton.nvidia.com/api/v2/workspaces';
/** What can stand in a header and in a path; anything else would show up in an error about it. */
const TOKEN = /^[!-~]+$/;
const WORKSPACE = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** Reads an account from values of any origin. `id:token` is the form in which Lepton's pages hand a token out. */
export function readLeptonAccount(
  values: Readonly<Partial<Record<LeptonVariable, string | undefined>>>,
): LeptonAccountReading {
  const id = values.LEPTON_WORKSPACE_ID?.trim() ?? '';
  const secret = values.LEPTON_WORKSPACE_TOKEN?.trim() ?? '';
  if (id === '' && secret === '') {
    return { kind: 'absent' };
  }
  const fromId = splitPair(id);
  const fromToken = splitPair(secret);
  const workspaceId = fromId?.id ?? (id || fromToken?.id) ?? '';
  const token = secret === '' ? (fromId?.token ?? '') : withoutId(secret, workspaceId);
  if (token === '') {
    return unusable(
      'LEPTON_WORKSPACE_TOKEN',
      message('LEPTON_WORKSPACE_ID is set, but LEPTON_WORKSPACE_TOKEN is not: Lepton needs both.'),
    );
  }
  if (workspaceId === '') {
    return unusable(
      'LEPTON_WORKSPACE_ID',
      message('LEPTON_WORKSPACE_TOKEN is set, but LEPTON_WORKSPACE_ID is not: Lepton needs both.'),
    );
  }
  if (!WORKSPACE.test(workspaceId)) {
    return unusable('LEPTON_WORKSPACE_ID', message('LEPTON_WORKSPACE_ID is not the id of a workspace.'));
  }
  if (!TOKEN.test(token)) {
    return unusable(
      'LEPTON_WORKSPACE_TOKEN',
      message('LEPTON_WORKSPACE_TOKEN has characters that no token has.'),
    );
  }
  const url = baseUrl(values.LEPTON_WORKSPACE_URL?.trim() || `${GATEWAY}/${workspaceId}`);
  return url === undefined
    ? unusable(
        'LEPTON_WORKSPACE_URL',
        message(
          'LEPTON_WORKSPACE_URL is not an address that a token may be sent to; it begins with https://.',
        ),
      )
    : { kind: 'ok', account: { workspaceId, token, url } };
}

function splitPair(text: string): { id: string; token: string } | undefined {
  const at = text.indexOf(':');
  return at < 0 ? undefined : { id: text.slice(0, at), token: text.slice(at + 1) };
}

/** A token may have a colon of its own: only this workspace's id is taken off. */
function withoutId(secret: string, workspaceId: string): string {
  return secret.startsWith(`${workspaceId}:`) ? secret.slice(workspaceId.length + 1) : secret;
}

/** A token goes only over TLS, or to this computer. */
function baseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) {
    return undefined;
  }
  const url = new URL(text);
  const local = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && local);
  return allowed && url.username === '' && url.search === '' && url.hash === ''
    ? url.href.replace(/\/+$/, '')
    : undefined;
}

function unusable(variable: LeptonVariable, sentence: Message): LeptonAccountReading {
  return { kind: 'unusable', sentence, variable };
}
