import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recogniseError } from '../../../src/brev/errors.ts';
import type { FailureKind } from '../../../src/values/failure.ts';
import { inEnglish } from '../../../src/values/message.ts';

const PROMPT = 'You are currently logged out, would you like to log in? [Y/n]: ';
const RESTY =
  '2026/12/01 09:00:00.123456 WARN RESTY EOF, Attempt 1\n2026/12/01 09:00:00.123457 ERROR RESTY EOF\n';
const API = 'https://brevapi.us-west-2-prod.control-plane.brev.dev/api';
const QUERY = '?cli_version=v0.6.327&local=true&os=linux&utm_source=cli';
const TRACE =
  '[error] \ngithub.com/brevdev/brev-cli/pkg/cmd/gpucreate.(*x).Run\n/home/runner/work/gpucreate.go:412\n: ';
const notCreated = (why: string) =>
  `Attempting to create 1 instance(s) with 1 parallel attempts\nInstance types to try: g6e.xlarge\n\nTrying g6e.xlarge for 1 instance(s)...\n[Worker 1] Trying g6e.xlarge for instance 'a'...\n[Worker 1] g6e.xlarge Failed: ${TRACE}${TRACE}${why}\n\nType g6e.xlarge had failures, trying next type...\n\n\nWarning: Only created 0/1 instances\ncould only create 0/1 instances\n`;

interface Case {
  readonly command: string;
  readonly stderr: string;
  readonly stdout?: string;
  readonly exitCode?: number;
  readonly kind: FailureKind;
  /** What the sentence must say. */
  readonly says: RegExp;
}

/** Texts of the CLI (brev-cli.md parts 1-9 and 16) and of reports (users.md A-F). */
const CASES: readonly Case[] = [
  { command: 'ls', stdout: PROMPT, stderr: `${RESTY}EOF\n`, kind: 'signedOut', says: /signed out/ },
  { command: 'create', stdout: PROMPT, stderr: `${RESTY}EOF\n`, kind: 'signedOut', says: /signed out/ },
  {
    command: 'delete',
    stdout: PROMPT,
    stderr: `${RESTY}1 error occurred:\n\t* EOF\n\n\n`,
    kind: 'signedOut',
    says: /signed out/,
  },
  { command: 'copy', stderr: 'EOF\n', kind: 'signedOut', says: /signed out/ },
  { command: 'ls', stderr: 'read: EOF\n', kind: 'signedOut', says: /signed out/ },
  { command: 'ls', stdout: PROMPT, stderr: 'declined to login\n', kind: 'signedOut', says: /signed out/ },
  {
    command: 'refresh',
    stdout: `refreshing brev...\n${PROMPT}`,
    stderr: 'EOF\n',
    kind: 'signedOut',
    says: /signed out/,
  },
  {
    command: 'ls',
    stdout: `no oauth found for token\nWARN: malformed refresh token, logging out\n${PROMPT}`,
    stderr: 'EOF\n',
    kind: 'tokenStale',
    says: /token is not usable/,
  },
  { command: 'ls', stderr: 'invalid refresh token\n', kind: 'tokenStale', says: /token is not usable/ },
  {
    command: 'ls',
    stdout: 'no oauth found for token\n',
    stderr: '',
    kind: 'tokenStale',
    says: /token is not usable/,
  },
  { command: 'ls', stderr: 'unauthenticated\n\n', kind: 'signedOut', says: /sign in again/i },
  {
    command: 'ls',
    stderr: `${API}/me${QUERY} 401 Unauthorized {}\n`,
    kind: 'signedOut',
    says: /sign in again/i,
  },
  {
    command: 'ls',
    stderr: 'api key auth cannot list organizations\n',
    kind: 'apiKeyLimited',
    says: /cannot list organizations/,
  },
  {
    command: 'stop',
    stderr: `1 error occurred:\n\t* ${API}/workspaces/x/stop${QUERY} 403 Forbidden no permission\n\n\n`,
    kind: 'forbidden',
    says: /not allowed/,
  },
  {
    command: 'stop',
    stderr: '403: missing permission workspace.stop\n',
    kind: 'forbidden',
    says: /signed in/,
  },
  {
    command: 'delete',
    stderr: `1 error occurred:\n\t* ${TRACE}instance with id/name gpu7 not found\n\n\n`,
    kind: 'instanceNotFound',
    says: /gpu7/,
  },
  {
    command: 'exec',
    stderr:
      'ssh: Could not resolve hostname gone: Name or service not known\r\nConnection failed, checking instance status...\nssh connection failed and could not look up instance "gone": exit status 255\nPlease check your instances with: brev ls\n',
    kind: 'instanceNotFound',
    says: /gone/,
  },
  {
    command: 'exec',
    stderr: 'ssh: illegal option -- -\ncould not look up instance "docker"\n',
    kind: 'instanceNotFound',
    says: /docker/,
  },
  {
    command: 'create',
    stderr: "Error: workspace 'a' already exists. Use a different name or delete the existing workspace\n",
    kind: 'nameTaken',
    says: /named a\b/,
  },
  {
    command: 'create',
    stderr: notCreated('duplicate workspace with name a'),
    kind: 'nameTaken',
    says: /another name/,
  },
  {
    command: 'create',
    stderr:
      'Skipping: instance type "g9.huge" is not a recognized type; run \'brev search\' to see available types\nWarning: Only created 0/1 instances\ncould only create 0/1 instances\n',
    kind: 'unknownType',
    says: /g9\.huge/,
  },
  {
    command: 'create',
    stderr:
      'Skipping: instance type "g5.xlarge" is currently unavailable (no capacity); try again later or pick another type\ncould only create 0/1 instances\n',
    kind: 'noCapacity',
    says: /g5\.xlarge is sold out/,
  },
  {
    command: 'create',
    stderr: notCreated('quota of 2 GPUs exceeded'),
    kind: 'createFailed',
    says: /: quota of 2 GPUs exceeded$/,
  },
  {
    command: 'create',
    stderr: 'could only create 0/1 instances\n',
    kind: 'createFailed',
    says: /could only create/,
  },
  {
    command: 'create',
    stderr: notCreated(`Post "${API}/organizations/o/workspaces${QUERY}": EOF`),
    kind: 'createOutcomeUnknown',
    says: /may exist/,
  },
  { command: 'create', stderr: 'unexpected EOF\n', kind: 'createOutcomeUnknown', says: /may exist/ },
  { command: 'create', stderr: 'EOF\n', kind: 'createOutcomeUnknown', says: /may exist/ },
  {
    command: 'create',
    stderr: notCreated(`Post "${API}": read tcp 10.0.0.1:1->10.0.0.2:443: read: connection reset by peer`),
    kind: 'createOutcomeUnknown',
    says: /may exist/,
  },
  { command: 'create', stderr: `Get "${API}/me": EOF\n`, kind: 'offline', says: /network/ },
  { command: 'ls', stderr: `${RESTY}Get "${API}/me${QUERY}": EOF\n`, kind: 'offline', says: /network/ },
  { command: 'ls', stderr: 'unexpected EOF\n', kind: 'offline', says: /network/ },
  {
    command: 'create',
    stderr:
      'Warning: could not fetch instance types with workspace groups: x\ncould not resolve workspace group for "g5" (instance-type listing was unavailable); please retry\n',
    kind: 'serverError',
    says: /Nothing was created/,
  },
  {
    command: 'create',
    stderr: notCreated('cloudCredId and workspaceGroupId are required: ambiguous placement'),
    kind: 'placementNeeded',
    says: /cloud credential/,
  },
  {
    command: 'create',
    stderr: 'choose one with --cloud-cred-id\n',
    kind: 'placementNeeded',
    says: /workspace group/,
  },
  {
    command: 'create',
    stderr: 'Placement error: several groups\n',
    kind: 'placementNeeded',
    says: /several places/,
  },
  {
    command: 'create',
    stderr: 'unknown flag: --cloud-cred-id\n',
    kind: 'unsupportedFlag',
    says: /--cloud-cred-id/,
  },
  { command: 'delete', stderr: 'unknown flag: --yes\n', kind: 'unsupportedFlag', says: /--yes/ },
  {
    command: 'exec',
    stderr: "unknown shorthand flag: 'l' in -la\n",
    kind: 'unsupportedFlag',
    says: /'l' in -la/,
  },
  {
    command: 'launchable',
    stderr: 'unknown command "launchable" for "brev"\n',
    kind: 'unsupportedFlag',
    says: /launchable/,
  },
  {
    command: 'stop',
    stderr: '1 error occurred:\n\t* instance "gpu1" does not support stop.\n\n\n',
    kind: 'notStoppable',
    says: /gpu1.*only deleting/,
  },
  {
    command: 'start',
    stderr: 'Instance is not stopped status=STARTING\n',
    kind: 'instanceStarting',
    says: /STARTING/,
  },
  { command: 'start', stderr: 'workspace is already starting\n', kind: 'instanceStarting', says: /STARTING/ },
  {
    command: 'start',
    stderr: `${API}/x/start 503 no capacity for g5.xlarge\n`,
    kind: 'noCapacity',
    says: /no capacity/,
  },
  {
    command: 'exec',
    stderr: 'instance "gpu1" is in state "DEPLOYING" — please check with: brev ls\n',
    kind: 'instanceNotRunning',
    says: /gpu1 is DEPLOYING/,
  },
  {
    command: 'exec',
    stderr:
      'Connection failed, checking instance status...\n\u001b[K\r⣷ waiting for SSH connection to be available \u001b[K\r⣯ waiting for SSH connection to be available could not connect to instance "gpu1": \nssh: connect to host 203.0.113.7 port 22: Connection refused\r\nPlease check with: brev ls\n',
    kind: 'unreachable',
    says: /billing/,
  },
  {
    command: 'exec',
    stderr: 'ssh: connect to host h port 22: Connection refused\r\n',
    kind: 'unreachable',
    says: /SSH/,
  },
  {
    command: 'exec',
    stderr: 'ssh: connect to host h port 22: Connection timed out\r\n',
    kind: 'unreachable',
    says: /SSH/,
  },
  {
    command: 'exec',
    stderr: 'Connection timed out during banner exchange\r\n',
    kind: 'unreachable',
    says: /SSH/,
  },
  {
    command: 'exec',
    stderr:
      'kex_exchange_identification: Connection closed by remote host\r\nConnection closed by UNKNOWN port 65535\r\n',
    kind: 'unreachable',
    says: /before you delete/,
  },
  {
    command: 'exec',
    stderr: 'websocket: bad handshake\nexit status 255\n',
    kind: 'unreachable',
    says: /SSH/,
  },
  {
    command: 'exec',
    stderr: 'Connection failed, checking instance status...\nexit status 255\n',
    kind: 'unreachable',
    says: /SSH/,
  },
  {
    command: 'exec',
    stderr:
      'ubuntu@h: Permission denied (publickey).\r\nConnection failed, checking instance status...\ncould not connect to instance "gpu1": \nWarning: Permanently added \'[h]:22\' (ED25519) to the list of known hosts.\r\n',
    kind: 'noSshAccess',
    says: /administrator/,
  },
  {
    command: 'exec',
    stderr: 'you don\'t have SSH access to node "dgx-station". Ask an org admin to run `brev grant-ssh`\n',
    kind: 'noSshAccess',
    says: /administrator/,
  },
  {
    command: 'exec',
    stderr: 'node "dgx" is still connecting — try again shortly, or run `brev refresh`\n',
    kind: 'notReadyYet',
    says: /moment/,
  },
  {
    command: 'exec',
    stderr:
      'ssh: Could not resolve hostname host.invalid: Name or service not known\r\ncould not connect to instance "gpu1": \nssh: Could not resolve hostname host.invalid: Name or service not known\r\n',
    kind: 'hostUnresolvable',
    says: /no reachable address yet/,
  },
  { command: 'exec', stderr: 'hostname not resolvable\n', kind: 'hostUnresolvable', says: /address/ },
  {
    command: 'exec',
    stderr: 'Connection failed, checking instance status...\nls: no such file\nexit status 2\n',
    kind: 'remoteFailed',
    says: /exit code 2/,
  },
  { command: 'shell', stderr: 'exit status 5\n', kind: 'remoteFailed', says: /exit code 5/ },
  {
    command: 'refresh',
    stderr: 'workspace k3x9 has empty SSH user (workspace may not be running)\n',
    kind: 'sshConfigBroken',
    says: /k3x9/,
  },
  {
    command: 'exec',
    stderr: 'unix_listener: path "/x" too long for Unix domain socket\nexit status 255\n',
    kind: 'sshConfigBroken',
    says: /too long/,
  },
  {
    command: 'refresh',
    stderr: 'open /home/me/.ssh/config: read-only file system\n',
    kind: 'localFile',
    says: /\.ssh\/config/,
  },
  {
    command: 'upgrade',
    stderr: 'open /usr/local/bin/brev.tmp: permission denied\n',
    kind: 'localFile',
    says: /brev\.tmp.*permission denied/,
  },
  { command: 'ls', stderr: 'no orgs exist\n', kind: 'noOrganisation', says: /organisation/ },
  { command: 'ls', stderr: 'no org found with name x\n', kind: 'noOrganisation', says: /organisation/ },
  {
    command: 'ls',
    stderr: `${RESTY}Get "${API}/me": dial tcp 127.0.0.1:9: connect: connection refused\n`,
    kind: 'offline',
    says: /network/,
  },
  { command: 'ls', stderr: 'dial tcp: lookup brevapi: no such host\n', kind: 'offline', says: /network/ },
  { command: 'ls', stderr: 'possible internet connection problem\n', kind: 'offline', says: /network/ },
  {
    command: 'ls',
    stderr: `${API}/me${QUERY} 502 Bad Gateway <html>…</html>\n`,
    kind: 'serverError',
    says: /moment/,
  },
  {
    command: 'ls',
    stderr: `${API}/me${QUERY} 500 Internal Server Error \n`,
    kind: 'serverError',
    says: /moment/,
  },
  {
    command: 'ls',
    stderr: 'error retrieving token, status code: 500, body: oops\n',
    kind: 'serverError',
    says: /moment/,
  },
  {
    command: 'search',
    stderr: "invalid character '<' looking for beginning of value\n",
    kind: 'serverError',
    says: /moment/,
  },
  { command: 'ls', stderr: 'internal error (500)\n\n', kind: 'serverError', says: /moment/ },
  { command: 'ls', stderr: 'unexpected end of JSON input\n', kind: 'unreadableAnswer', says: /incomplete/ },
  {
    command: 'start',
    stderr:
      'panic: invalid launchable URL: https://x\n\ngoroutine 1 [running]:\nmain.main()\n\t/x/main.go:7\n',
    exitCode: 2,
    kind: 'crashed',
    says: /^The Brev CLI crashed: invalid launchable URL: https:\/\/x$/,
  },
  {
    command: 'refresh',
    stderr: 'panic: runtime error: index out of range [0] with length 0\n\ngoroutine 1 [running]:\n',
    exitCode: 2,
    kind: 'crashed',
    says: /index out of range/,
  },
  {
    command: 'ls',
    stderr: 'fatal error: all goroutines are asleep - deadlock!\n',
    exitCode: 2,
    kind: 'crashed',
    says: /deadlock/,
  },
  { command: 'ls', stderr: 'something odd\n', exitCode: 2, kind: 'crashed', says: /something odd/ },
];

const recognise = ({ command, stderr, stdout = '', exitCode = 1 }: Omit<Case, 'kind' | 'says'>) =>
  recogniseError(command, { stdout, stderr, exitCode });

describe('an error of the CLI', () => {
  for (const each of CASES) {
    const last = each.stderr.trim().split('\n').at(-1) ?? '';
    it(`${each.command}: ${last.slice(0, 70) || each.stdout?.slice(0, 60)} → ${each.kind}`, () => {
      const failure = recognise(each);
      assert.equal(failure.kind, each.kind);
      const sentence = inEnglish(failure.message);
      assert.match(sentence, each.says);
      assert.ok(
        !/\{\d\}|goroutine \d|\[error\]|[\n\u2800-\u28ff]/.test(sentence) && !sentence.includes('\u001b'),
        sentence,
      );
    });
  }

  it('is told in its own last words when nobody knows it', () => {
    for (const [stderr, expected] of [
      ['something new\n', 'brev ls: something new'],
      ['first\nsecond\n\n', 'brev ls: second'],
      [`${TRACE}${TRACE}the reason\n`, 'brev ls: the reason'],
      ['2 errors occurred:\n\t* the first\n\t* the second\n\n\n', 'brev ls: the first'],
      ['\u001b[33myellow words\u001b[0m\n', 'brev ls: yellow words'],
      ['\u001b[K\r⣷ working \u001b[K\r⣯ working \u001b[K\rthe end\n', 'brev ls: the end'],
      [
        'the reason\nposthog 2026/12/01 09:00:00 WARN: sending request - Post "https://app.posthog.com/batch/"\n',
        'brev ls: the reason',
      ],
      ['', 'brev ls failed without saying why.'],
      ['\n \r\n', 'brev ls failed without saying why.'],
    ] as const) {
      const failure = recognise({ command: 'ls', stderr });
      assert.equal(inEnglish(failure.message), expected);
      assert.equal(failure.kind, 'unexpected');
      assert.equal(failure.retrySafe, false);
    }
  });

  it('may stand on stdout where stderr says nothing', () => {
    const failure = recognise({ command: 'ls', stdout: 'Warning: … $HOME is not defined\n', stderr: '' });
    assert.equal(inEnglish(failure.message), 'brev ls: Warning: … $HOME is not defined');
  });

  it('is not seen in what a remote command printed', () => {
    for (const said of [
      'unauthorized: authentication required',
      '403 Forbidden',
      '500 Internal Server Error',
      'EOF',
      'panic: x',
    ]) {
      const stdout = `@@brev-begin 1\n${said}\n`;
      assert.equal(
        recognise({ command: 'exec', stdout, stderr: 'exit status 7\n' }).kind,
        'remoteFailed',
        said,
      );
      assert.equal(recognise({ command: 'exec', stdout, stderr: '' }).kind, 'unexpected', said);
      const noisy = `Connection failed, checking instance status...\n${said}\nexit status 7\n`;
      const kind = said.startsWith('panic') ? 'crashed' : 'remoteFailed';
      assert.equal(recognise({ command: 'exec', stderr: noisy }).kind, kind, said);
    }
  });

  it('is not seen in the data of a call that went well', () => {
    for (const name of ['unauthorized', 'placement', '403', 'panic: x', 'no orgs exist', 'dial tcp']) {
      const failure = recogniseError('ls', {
        stdout: `{"workspaces": [{"name": "${name}",\n${name}\n`,
        stderr: '',
      });
      assert.equal(failure.kind, 'unexpected', name);
    }
  });

  it('is not seen in a name', () => {
    for (const name of [
      'placement',
      'placement-1',
      'gpu-403',
      '401',
      'l40-500',
      'forbidden-x',
      'a-401-b',
      '503',
    ]) {
      const progress = `[Worker 1] Trying g5 for instance '${name}'...\nTrying "${name}"\nover ${name}: the end\n`;
      if (!/^(?:401|placement|forbidden-x)$/.test(name)) {
        assert.equal(recognise({ command: 'create', stderr: progress }).kind, 'unexpected', name);
      }
      const quoted = `[Worker 1] Trying g5 for instance '${name}'...\nno luck with "${name}"\n`;
      const kind = recognise({ command: 'create', stderr: quoted }).kind;
      assert.equal(kind, name === 'forbidden-x' ? 'forbidden' : 'unexpected', name);
    }
    assert.equal(
      recognise({ command: 'create', stderr: 'disk must be 500 GB or less\n' }).kind,
      'unexpected',
    );
  });

  it('never invites to repeat what may have bought something', () => {
    for (const kind of ['createOutcomeUnknown', 'createFailed', 'unexpected'] as const) {
      const texts = CASES.filter((each) => each.kind === kind);
      for (const each of texts) {
        assert.equal(recognise(each).retrySafe, false, each.stderr);
      }
    }
    for (const text of [
      '502 Bad Gateway',
      'unexpected end of JSON input',
      'timeout awaiting response headers',
    ]) {
      assert.equal(recognise({ command: 'create', stderr: notCreated(text) }).retrySafe, false, text);
      assert.equal(recognise({ command: 'create', stderr: `${text}\n` }).retrySafe, false, text);
    }
  });

  it('keeps the whole text for the log, without noise', () => {
    const failure = recognise({ command: 'create', stderr: notCreated('why') });
    assert.match(failure.detail ?? '', /Instance types to try: g6e\.xlarge/);
    assert.ok(!failure.detail?.includes('gpucreate.go'));
  });

  it('is found in megabytes of stderr', () => {
    for (const line of [
      '[Worker 1] g5 Failed: x\n',
      '[error] \n',
      '\u001b[K\r⣷ wait ',
      'goroutine 7 [running]:\n',
      '"https:',
      'x',
    ]) {
      const failure = recognise({ command: 'create', stderr: `${line.repeat(40_000)}\nthe end\n` });
      assert.ok(failure.kind.length > 0);
    }
  });
});
