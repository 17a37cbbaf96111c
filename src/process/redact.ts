/** What stands where a secret stood. */
const MASK = '***';

/** Shapes of secrets that are recognised wherever they come from (contracts/tao.md part 2, redact_secrets.py, and what it misses). */
const PATTERNS: readonly [RegExp, string][] = [
  // flags whose value is a secret: `--token X`, `--token=X`
  [/(--(?:token|api-key|password|secret)(?:\s+|=))(?!-)\S+/g, `$1${MASK}`],
  // JSON web tokens, as `brev login --token` takes them
  [/\beyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, MASK],
  [/\b(?:nvapi-[A-Za-z0-9_-]{8,}|hf_[A-Za-z0-9]{12,}|bak-[A-Za-z0-9_-]{6,})/g, MASK],
  [/\b(?:ghp_|github_pat_|xox[a-z]-|sk-)[A-Za-z0-9_-]{16,}/g, MASK],
  [/\bAKIA[A-Z0-9]{12,}\b/g, MASK],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/g, `$1 ${MASK}`],
  // user:password@ in URLs, such as a proxy's
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@:]+:[^\s/@]+@/gi, `$1${MASK}@`],
  [/(X-Amz-(?:Signature|Credential|Security-Token)=)[^&\s"]+/gi, `$1${MASK}`],
  // NAME=value and "name": "value" for names that say what they are; $VAR and ${VAR} are no secrets
  [
    /\b([A-Z0-9_]*(?:SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|NGC_KEY|TOKEN|CREDENTIAL)[A-Z0-9_]*=)(["']?)(?!\$|\*\*\*)[^\s"']+\2/g,
    `$1$2${MASK}$2`,
  ],
  [
    /("(?:access_token|refresh_token|password|passwd|token|api_key|secret|access_key|secret_key)"\s*:\s*")[^"]+"/gi,
    `$1${MASK}"`,
  ],
];

/** The one place that takes secrets out of text before it is shown, logged or stored. */
export class Redactor {
  #known: string[] = [];

  /** From now on this value is masked wherever it stands. Very short values would mask ordinary words. */
  addSecret(value: string): void {
    if (value.length < 6 || this.#known.includes(value)) {
      return;
    }
    // longest first: one secret may contain another
    this.#known = [...this.#known, value].sort((a, b) => b.length - a.length);
  }

  redact(text: string): string {
    let result = text;
    for (const secret of this.#known) {
      result = result.replaceAll(secret, MASK);
    }
    for (const [pattern, replacement] of PATTERNS) {
      result = result.replace(pattern, replacement);
    }
    return result;
  }
}
