import { randomBytes } from 'node:crypto';
import { ISSUER, isAccepted, mintToken, readClaims } from '../cloud/tokens.ts';
import { CliError, TransportError } from './errors.ts';
import { textField } from './fields.ts';
import { type Run, readLine } from './run.ts';
import { parseLikeGo, readBrevFile, writeBrevFile } from './user-files.ts';

const AUTH0 = 'https://brevdev.us.auth0.com/';
/** What every command that needs a login asks without one, on stdout and without a newline. */
export const LOGIN_PROMPT = 'You are currently logged out, would you like to log in? [Y/n]: ';

interface Credentials {
  access_token?: string;
  refresh_token?: string;
  api_key?: string;
  api_key_org_id?: string;
}

/** Not node:http's: loading that would be felt in every call. */
const STATUS_TEXTS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/** Whom the service sees behind a call. */
export interface Session {
  userId: string;
  /** Set for API keys, which act for a whole org. */
  apiKeyOrg?: string;
}

/** Signs the call in by the stored credentials, refreshing them if need be, or fails as the CLI does. */
export function signIn(run: Run): Session {
  if (run.fault('torn-credentials') !== undefined) throw new CliError('unexpected end of JSON input');
  const credentials = readCredentials(run);
  if (credentials === undefined) return askToLogIn(run);
  if (credentials.api_key !== undefined && credentials.api_key !== '') {
    reachServer(run, '/api/me');
    return { userId: run.cloud().user.id, apiKeyOrg: credentials.api_key_org_id ?? '' };
  }
  const token = usableToken(run, credentials);
  if (process.env.DEBUG_HTTP === '1') dumpRequest(run, token);
  reachServer(run, '/api/me');
  if (!isAccepted(token)) throw new CliError('unauthenticated');
  return { userId: run.cloud().user.id };
}

/** Any request to the service; throws where a fault keeps it from answering well. */
export function reachServer(run: Run, path: string): void {
  if (run.fault('offline') !== undefined) {
    throw new TransportError(
      `Get "${requestUrl(run, path)}": dial tcp 127.0.0.1:443: connect: connection refused`,
    );
  }
  const http = run.fault('http');
  if (http?.body !== undefined) {
    throw new CliError(
      `${requestUrl(run, path)} ${http.status} ${STATUS_TEXTS[http.status] ?? ''} ${http.body}`,
    );
  }
  if (http !== undefined) throw new CliError(`${http.message ?? defaultMessage(http.status)}\n\n`);
}

/** The request that changes something (create, delete, stop, start, reset), after the look-ups went well. */
export function refuseAction(run: Run): void {
  const rejected = run.fault('rejected');
  if (rejected !== undefined) throw new CliError(`${rejected.message}\n\n`);
}

export function requestUrl(run: Run, path: string): string {
  return `https://brevapi.us-west-2-prod.control-plane.brev.dev${path}?cli_version=v${run.version}&local=true&os=linux&utm_source=cli`;
}

/** Does the stored access token come from an issuer that the CLI knows no login for? */
export function hasStrangeIssuer(run: Run): boolean {
  const text = readBrevFile(run, 'credentials.json');
  if (text === undefined) return false;
  let credentials: Credentials | undefined;
  try {
    credentials = credentialsOf(text);
  } catch (error) {
    if (error instanceof CliError) return false;
    throw error;
  }
  const token = credentials?.access_token ?? '';
  if (token === '' || (credentials?.api_key ?? '') !== '') return false;
  const issuer = readClaims(token)?.issuer ?? '';
  return issuer !== ISSUER && issuer !== AUTH0;
}

/** Stores tokens in place, keeping the mode of a file that exists (0644 where it doesn't). */
export function storeCredentials(run: Run, credentials: Credentials): void {
  writeBrevFile(run, 'credentials.json', JSON.stringify(credentials));
}

/** Is anybody signed in, as far as the stored file tells? */
export function readCredentials(run: Run): Credentials | undefined {
  const text = readBrevFile(run, 'credentials.json');
  return text === undefined ? undefined : credentialsOf(text);
}

/** The prompt of a signed-out CLI: reads an answer from stdin whatever stdin is. */
export function askToLogIn(run: Run): never {
  run.out(LOGIN_PROMPT);
  const answer = readLine();
  // The real prompt logs its read error as if it were a failed request.
  if (answer === undefined)
    throw run.command === 'copy' || run.command === 'port-forward'
      ? new CliError('EOF')
      : new TransportError('EOF');
  if (/^(y|yes|)$/i.test(answer.trim())) {
    run.out('Enter your email: failed.\n');
    throw new CliError('EOF');
  }
  throw new CliError('declined to login');
}

/** Exchanges a `session:device` refresh token for a fresh access token. */
export function exchange(run: Run, refreshToken: string): string {
  const trouble = run.fault('token-http');
  if (trouble !== undefined) {
    throw new CliError(
      `error retrieving token, status code: ${trouble.status}, body: ${trouble.body ?? 'internal error'}`,
    );
  }
  const [key = ''] = refreshToken.split(':');
  if (run.cloud().sessions[key] !== 'good') {
    throw new CliError(
      'error retrieving token, status code: 401, body: {"requestStatus":{"statusCode":"UNAUTHORIZED"}}',
    );
  }
  return mintToken({ expiresInSeconds: 3_600 });
}

/** A new session key, as a browser login would make. */
export function newSessionKey(): string {
  return randomBytes(12).toString('hex');
}

function credentialsOf(text: string): Credentials | undefined {
  const json = parseLikeGo(text);
  if (json === null) return undefined;
  if (Array.isArray(json)) {
    throw new CliError('json: cannot unmarshal array into Go value of type entity.AuthTokens');
  }
  const access = textField(json, 'access_token');
  const refresh = textField(json, 'refresh_token');
  const key = textField(json, 'api_key');
  if (access === '' && refresh === '' && key === '') return undefined;
  return {
    access_token: access,
    refresh_token: refresh,
    ...(key === '' ? {} : { api_key: key, api_key_org_id: textField(json, 'api_key_org_id') }),
  };
}

function usableToken(run: Run, credentials: Credentials): string {
  const token = credentials.access_token ?? '';
  const forced = run.fault('token-expired');
  const claims = readClaims(token);
  if (claims !== undefined && !claims.expired && forced === undefined) return token;
  const refresh = credentials.refresh_token ?? '';
  if (forced?.refreshable === false) return askToLogIn(run);
  // Sent to the server as it is, which then refuses it.
  if (refresh === '') throw new CliError('unauthenticated');
  if (refresh.split(':').length !== 2) {
    run.out('WARN: malformed refresh token, logging out\n');
    writeBrevFile(run, '.invalid-refresh-token', refresh, 0o600);
    return askToLogIn(run);
  }
  let fresh: string;
  try {
    fresh = exchange(run, refresh);
  } catch (error) {
    if (error instanceof CliError && error.message.includes('UNAUTHORIZED')) return askToLogIn(run);
    throw error;
  }
  storeCredentials(run, { ...credentials, access_token: fresh });
  return fresh;
}

/** What DEBUG_HTTP shows on stderr, the bearer token included (contract 1). */
function dumpRequest(run: Run, token: string): void {
  run.err(
    `==============================================================================\n~~~ REQUEST ~~~\nGET  ${requestUrl(run, '/api/me')}  HTTP/1.1\nHEADERS:\n\tAuthorization: Bearer ${token}\n`,
  );
}

function defaultMessage(status: number): string {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'permission denied';
  return `internal error (${status})`;
}
