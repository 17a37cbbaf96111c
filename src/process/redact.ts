/** What stands where a secret stood. */
const MASK = '***';

/**
 * Shapes of secrets that are recognised wherever they come from (tao.md part 2, redact_secrets.py, and what it misses).
 * All are linear in the length of the text: what repeats is bounded, or begins where its own repetition can't begin.
 */
const SHAPES: readonly [RegExp, string][] = [
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s]|\\[nr])*(?:-----END [A-Z ]{0,40}-----)?/g,
    MASK,
  ],
  // flags whose value is a secret: `--token X`, `--token=X`, `--api-key "X Y"`
  [
    /(--(?:token|api-key|password|secret|access-key|secret-key)(?:[ \t]+|=))(?!-)(?:"[^"\n]*"|'[^'\n]*'|[^\s"']+)/g,
    `$1${MASK}`,
  ],
  [
    /(\b(?:docker|podman|nerdctl|helm) login\b[^\n]{0,200}? -p[ =])(?:"[^"\n]*"|'[^'\n]*'|[^\s"']+)/g,
    `$1${MASK}`,
  ],
  // JSON web tokens, as `brev login --token` takes them
  [/(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, MASK],
  [/\b(?:nvapi-[A-Za-z0-9_-]{8,}|hf_[A-Za-z0-9]{16,})/g, MASK],
  // with a letter: `model.bak-20261201` is a file
  [/\bbak-(?=[0-9_-]{0,60}[A-Za-z])[A-Za-z0-9_-]{8,}/g, MASK],
  [/\b(?:ghp_|github_pat_|xox[a-z]-|sk-)[A-Za-z0-9_-]{16,}/g, MASK],
  [/\bAKIA[A-Z0-9]{12,}\b/g, MASK],
  [
    /(\bAuthorization["']?\s{0,9}[:=]\s{0,9}["']?)(?:(?:Bearer|Basic|Token|ApiKey) +[^\s"']+|[^\s"']{16,})/gi,
    `$1${MASK}`,
  ],
  // with a digit, or long: "Bearer authentication" is prose
  [
    /\b(Bearer|Basic)([ \t]+)(?=[A-Za-z._~+/=-]{0,200}\d|[A-Za-z._~+/=-]{24})[A-Za-z0-9._~+/=-]{8,}/g,
    `$1$2${MASK}`,
  ],
  // user:password@ in URLs, such as a proxy's
  [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@:]{0,300}:[^\s/]{0,2000}@/gi, `$1${MASK}@`],
  [/(X-Amz-(?:Signature|Credential|Security-Token)=)[^&\s"]+/gi, `$1${MASK}`],
];

/** `NAME=`, and `"name": "` up to its value; what follows is judged by the name. */
const ASSIGNED = /(?<![\w-])([\w-]+)=|(\\?["'])([\w-]+)\2\s{0,9}:\s{0,9}(?=\\?["'])/g;
/** A value in quotes (or what is left of it), in the escaped quotes of JSON within JSON, or bare. $VAR is no secret. */
const VALUE =
  /(")(?!\$)[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"?|(\\")[^"\\\n]*(?:\\")?|(')[^'\n]*'?|(?!\$)[^\s"'&\\]+/y;

/** Words of names whose value is a secret; each stands between non-letters, so that MAX_TOKENS is none. */
const SECRET_NAME =
  /(?<![A-Z])(?:SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|NGC_KEY|PRIVATE_?KEY|TOKEN|CREDENTIALS?)(?![A-Z])|^PASS$/;

function namesSecret(name: string): boolean {
  const words = name.replace(/([a-z])([A-Z])/g, '$1_$2').replaceAll('-', '_');
  return SECRET_NAME.test(words.toUpperCase());
}

function redactAssigned(text: string): string {
  let result = '';
  let done = 0;
  for (const match of text.matchAll(ASSIGNED)) {
    const end = match.index + match[0].length;
    if (match.index < done || !namesSecret(match[1] ?? match[3] ?? '')) {
      continue;
    }
    VALUE.lastIndex = end;
    const value = VALUE.exec(text);
    if (value !== null) {
      const quote = value[1] ?? value[2] ?? value[3] ?? '';
      result += text.slice(done, end) + quote + MASK + quote;
      done = end + value[0].length;
    }
  }
  return result + text.slice(done);
}

/** The one place that takes secrets out of text before it is shown, logged or stored. */
export class Redactor {
  #known: string[] = [];

  /** From now on this value is masked wherever it stands. Very short values would mask ordinary words. */
  addSecret(value: string): void {
    const secret = value.trim();
    if (secret.length < 6 || this.#known.includes(secret)) {
      return;
    }
    // longest first: one secret may contain another
    this.#known = [...this.#known, secret].sort((a, b) => b.length - a.length);
  }

  /** Where at the end of the text a known secret may have begun; its length where none has. */
  beginningAtEnd(text: string): number {
    let start = text.length;
    for (const secret of this.#known) {
      for (let length = Math.min(secret.length - 1, text.length); length > 0; length--) {
        if (text.endsWith(secret.slice(0, length))) {
          start = Math.min(start, text.length - length);
          break;
        }
      }
    }
    return start;
  }

  redact(text: string): string {
    let result = text;
    for (const secret of this.#known) {
      result = result.replaceAll(secret, MASK);
    }
    for (const [pattern, replacement] of SHAPES) {
      result = result.replace(pattern, replacement);
    }
    return redactAssigned(result);
  }
}
