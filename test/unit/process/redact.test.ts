import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { Redactor } from '../../../src/process/redact.ts';

const redact = (text: string) => new Redactor().redact(text);
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyIiwiZXhwIjoxfQ.c2lnbmF0dXJl';

/** A text in which only `secret` must go. */
const SECRETS: readonly { readonly what: string; readonly text: string; readonly secret: string }[] = [
  { what: 'the token of a login', text: `brev login --token ${JWT} → ok`, secret: JWT },
  { what: 'an opaque token', text: 'login --token s3ss10n:device1 → exit 1', secret: 's3ss10n:device1' },
  {
    what: 'a flag with =',
    text: 'login --api-key=bak-4f5g6h7j8k9l0 --org-id org-1',
    secret: 'bak-4f5g6h7j8k9l0',
  },
  { what: 'a flag in quotes', text: "x --password 'with space' y", secret: 'with space' },
  {
    what: 'docker login -p',
    text: "docker login nvcr.io -u '$oauthtoken' -p hunter22 done",
    secret: 'hunter22',
  },
  { what: 'a JWT anywhere', text: `token is ${JWT}, says the server`, secret: JWT },
  { what: 'a JWT in a URL', text: `GET https://h/x?jwt=${JWT}&y=1`, secret: JWT },
  { what: 'an NGC key', text: 'using nvapi-AbCdEf123456_-x now', secret: 'nvapi-AbCdEf123456_-x' },
  { what: 'a Hugging Face token', text: `(hf_${'aB3'.repeat(11)})`, secret: `hf_${'aB3'.repeat(11)}` },
  { what: 'a Brev key', text: 'key bak-Zx81mPq0aa55 saved', secret: 'bak-Zx81mPq0aa55' },
  { what: 'a GitHub token', text: `ghp_${'a1'.repeat(18)}!`, secret: `ghp_${'a1'.repeat(18)}` },
  {
    what: 'a fine-grained GitHub token',
    text: `github_pat_${'B2'.repeat(20)}`,
    secret: `github_pat_${'B2'.repeat(20)}`,
  },
  { what: 'a Slack token', text: 'xoxb-123456789012-abcdefghij', secret: 'xoxb-123456789012-abcdefghij' },
  { what: 'an OpenAI key', text: `sk-${'q7'.repeat(12)}`, secret: `sk-${'q7'.repeat(12)}` },
  { what: 'an AWS key id', text: 'key AKIAIOSFODNN7EXAMPLE used', secret: 'AKIAIOSFODNN7EXAMPLE' },
  { what: 'a bearer header', text: 'Authorization: Bearer abcdEFGH1234', secret: 'abcdEFGH1234' },
  {
    what: 'a basic header',
    text: 'authorization: Basic dXNlcjpwYXNzd29yZA==',
    secret: 'dXNlcjpwYXNzd29yZA==',
  },
  { what: 'a header in JSON', text: '{"Authorization":"Bearer abc123def456"}', secret: 'abc123def456' },
  { what: 'a bearer without header', text: 'sent Bearer abcdEFGH1234 to it', secret: 'abcdEFGH1234' },
  { what: 'a password in a URL', text: 'proxy http://user:p%40ss@proxy:3128/ used', secret: 'user:p%40ss' },
  { what: 'a password with an @', text: 'proxy http://user:p@ss@proxy:3128/ used', secret: 'p@ss' },
  { what: 'a password without user', text: 'redis://:hunter22@cache/0', secret: 'hunter22' },
  {
    what: 'a presigned URL',
    text: 'https://b.s3.aws/k?X-Amz-Credential=AK%2F2026&X-Amz-Signature=0a1b2c3d&x=1',
    secret: '0a1b2c3d',
  },
  { what: 'a variable', text: 'export NGC_KEY=abcdef && run', secret: 'abcdef' },
  { what: 'a variable in quotes', text: 'S3_SECRET="two words" next', secret: 'two words' },
  { what: 'a variable in single quotes', text: "DB_PASSWORD='it is $ecret' next", secret: 'it is $ecret' },
  { what: 'a quoted value with escapes', text: String.raw`HF_TOKEN="a\"bcdef" next`, secret: 'bcdef' },
  { what: 'a docker flag', text: "docker run -e 'SECRET_KEY=abc/def+g' image", secret: 'abc/def+g' },
  { what: 'a lower-case name', text: 'https://h/?access_token=abcdef&x=1', secret: 'abcdef' },
  { what: 'a name after another in a URL', text: 'url=https://h/?token=abcdef&x=1', secret: 'abcdef' },
  {
    what: 'AWS names',
    text: 'AWS_REGION=us AWS_SECRET_ACCESS_KEY=wJalrXUtn AWS_ACCESS_KEY_ID=WHATEVER',
    secret: 'wJalrXUtn',
  },
  { what: 'JSON', text: '{"access_token": "abcdef", "user": "me"}', secret: 'abcdef' },
  { what: 'JSON with escapes', text: String.raw`{"password":"ab\"cdef","x":1}`, secret: 'cdef' },
  { what: 'JSON of environment names', text: '{"NGC_KEY":"abcdef"}', secret: 'abcdef' },
  { what: 'JSON in camel case', text: '{"refreshToken":"abcdef"}', secret: 'abcdef' },
  { what: 'JSON in JSON', text: String.raw`{"body":"{\"api_key\":\"abcdef\"}"}`, secret: 'abcdef' },
  { what: 'JSON that was cut', text: '{"user":"me","refresh_token":"abcde', secret: 'abcde' },
  { what: 'a Python dict', text: "{'secret': 'abcdef'}", secret: 'abcdef' },
  {
    what: 'a private key',
    text: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA\nQyNTUxOQ==\n-----END OPENSSH PRIVATE KEY-----\nafter',
    secret: 'QyNTUxOQ==',
  },
  {
    what: 'a private key in JSON',
    text: String.raw`{"privateKey":"-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----\n"}`,
    secret: 'MIIEow',
  },
];

const ORDINARY = [
  'MAX_TOKENS=4096 TOKENIZERS_PARALLELISM=false',
  'Epoch 3:  62%|######2   | 31/50 [00:21<00:13,  1.45it/s, v_num=1, train_loss_step=0.312, lr=0.0002]',
  '2026-03-07 10:00:00,111 - [TAO Toolkit] - INFO - Sending telemetry data. (entrypoint.py:355)',
  'docker: Error response from daemon: Head "https://nvcr.io/v2/nvidia/tao/manifests/7.1": unauthorized',
  'Get "https://brevapi.us-west-2-prod.control-plane.brev.dev/api/me?utm_source=cli&local=true": EOF',
  'Bearer authentication required; Basic training finished',
  'the flag needs an argument: --token',
  'unknown flag: --yes',
  `export NGC_KEY=$NGC_KEY; echo "\${HF_TOKEN}"; docker run -e NGC_KEY="$NGC_KEY" image`,
  'brev exec gpu1 → ok in 55 ms',
  'brev create a --type g6e.xlarge,g5.xlarge --detached → exit 1 in 845 ms',
  'instance "gpu-token" is in state "STOPPED"',
  'ssh: connect to host 203.0.113.7 port 22: Connection refused',
  'model.bak-20261201 written; disk-space-is-low-on-this-machine; risk-assessment-of-something',
  '{"name":"train","id":"k3x9","status":"RUNNING","gpu":"L40S"}',
  'password: (nothing)',
  'http://localhost:8080/path and mailto:me@example.com',
];

describe('redact', () => {
  for (const { what, text, secret } of SECRETS) {
    it(`masks ${what} and leaves the rest`, () => {
      const redacted = redact(text);
      assert.ok(!redacted.includes(secret), redacted);
      assert.match(redacted, /\*\*\*/);
      const words = text.split(/[\s"'{}:,&?=]+/).filter((word) => /^[a-z]{2,}$/.test(word));
      for (const word of words.filter((each) => !secret.includes(each))) {
        assert.ok(redacted.includes(word), `${word} went too: ${redacted}`);
      }
    });
  }

  it('leaves ordinary lines alone', () => {
    for (const line of ORDINARY) {
      assert.equal(redact(line), line);
    }
  });

  it('gives the same when run again', () => {
    for (const { text } of SECRETS) {
      assert.equal(redact(redact(text)), redact(text));
    }
  });

  it('masks known values wherever they stand, whatever is in them', () => {
    const redactor = new Redactor();
    const values = ['a.*b+c?(d)', '$&$1$`', 'back\\slash[x]', 'with "quotes"', 'unicode-é✓🚀', 'multi\nline'];
    for (const value of values) {
      redactor.addSecret(value);
    }
    for (const value of values) {
      assert.equal(redactor.redact(`<${value}|${value}>`), '<***|***>');
    }
  });

  it('masks the longer of two known values whole', () => {
    const redactor = new Redactor();
    redactor.addSecret('abcdef');
    redactor.addSecret('abcdefghi');
    assert.equal(redactor.redact('abcdefghi abcdef'), '*** ***');
  });

  it('knows a value that came with a line end', () => {
    const redactor = new Redactor();
    redactor.addSecret('from-a-file\n');
    assert.equal(redactor.redact('<from-a-file>'), '<***>');
  });

  it('does not take very short values for secrets: they would mask ordinary words', () => {
    const redactor = new Redactor();
    redactor.addSecret('');
    redactor.addSecret('abc');
    assert.equal(redactor.redact('abc'), 'abc');
  });

  it('is linear: no text makes it slow', () => {
    const length = 300_000;
    const fill = (piece: string) => piece.repeat(Math.ceil(length / piece.length));
    const texts = [
      ...[
        'A',
        'TOKEN',
        'TOKEN_',
        'SECRET_A',
        'a.',
        'a-',
        '1.2',
        'a://',
        'a:b@',
        'x://u:',
        'eyJaaaaaa-',
        'eyJaaaaaa.',
      ],
      ...[
        'nvapi-',
        'sk-',
        '--token ',
        '--token "',
        'Bearer ',
        'Bearer a',
        'Authorization: ',
        'X-Amz-Signature=',
      ],
      ...[
        '"token":"',
        "'token':'",
        '\\"token\\":\\"',
        'TOKEN="',
        "TOKEN='",
        'TOKEN="\\',
        '"',
        "'",
        '\\',
        ' ',
        '\n',
      ],
      ...[
        'docker login -',
        'docker login -p',
        '-----BEGIN RSA PRIVATE KEY-----',
        '-----BEGIN ',
        'bak-0',
        'a=',
        '=',
      ],
    ].map(fill);
    const all = [
      ...texts,
      ...texts.map((each) => `TOKEN="${each}`),
      ...texts.map((each) => `https://${each}`),
    ];
    // the work of a second; a quadratic pattern takes minutes, and only this can interrupt it
    runInNewContext(
      'texts.forEach(redact)',
      { texts: all, redact: (text: string) => redact(text) },
      { timeout: 60_000 },
    );
  });

  it('takes a value of many megabytes', () => {
    assert.equal(redact(`TOKEN="${'x'.repeat(6_000_000)}"`), 'TOKEN="***"');
    assert.equal(redact(`{"token":"${'\\"'.repeat(3_000_000)}"}`), '{"token":"***"}');
  });
});
