import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/** The issuer that the simulated CLI trusts. */
export const ISSUER = 'https://login.nvidia.com';
const KEY = 'brev-sim';

export interface TokenSpec {
  /** Negative for a token that has expired already. */
  expiresInSeconds: number;
  /** Another issuer makes every command print `no oauth found for token`. */
  issuer?: string;
  /** False: looks right locally, but the service answers 401. */
  accepted?: boolean;
}

/** Makes a JWT-shaped access token as the simulated service would. */
export function mintToken(spec: TokenSpec): string {
  const now = Math.floor(Date.now() / 1000);
  const head = encode({ alg: 'HS256', typ: 'JWT' });
  const body = encode({
    iss: spec.issuer ?? ISSUER,
    sub: 'user-sim',
    jti: randomUUID(),
    iat: now - 5,
    nbf: now - 5,
    exp: now + spec.expiresInSeconds,
  });
  return `${head}.${body}.${spec.accepted === false ? 'AAAA' : sign(`${head}.${body}`)}`;
}

/** What the CLI reads from a token without asking anybody; undefined where it isn't a JWT. */
export function readClaims(token: string): { issuer: string; expired: boolean } | undefined {
  const parts = token.split('.');
  const body = parts[1];
  if (parts.length !== 3 || body === undefined) return undefined;
  let claims: { iss?: unknown; exp?: unknown } | null;
  try {
    claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (claims === null || typeof claims.exp !== 'number') return undefined;
  return {
    issuer: typeof claims.iss === 'string' ? claims.iss : '',
    expired: claims.exp <= Date.now() / 1000,
  };
}

/** The service's own check. */
export function isAccepted(token: string): boolean {
  const dot = token.lastIndexOf('.');
  const given = Buffer.from(token.slice(dot + 1));
  const wanted = Buffer.from(sign(token.slice(0, dot)));
  return dot > 0 && given.length === wanted.length && timingSafeEqual(given, wanted);
}

function sign(text: string): string {
  return createHmac('sha256', KEY).update(text).digest('base64url');
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
