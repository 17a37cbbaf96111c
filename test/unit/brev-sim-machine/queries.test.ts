import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Machine } from './machine.ts';

describe('ps, inspect and info', { concurrency: 2 }, () => {
  it('ps filters by label, name and status, and prints rows as JSON', async () => {
    using machine = new Machine().withImages();
    const common = ['run', '-q', '--label', 'tao-job=a', '--label', 'owner=x'];
    await machine.docker(...common, '--name', 'job-a', 'ubuntu', 'bash', '-c', 'exit 3');
    await machine.docker('create', '--label', 'tao-job=b', '--name', 'job-b', 'ubuntu', 'true');
    const rows = async (...args: string[]): Promise<string[]> =>
      (await machine.docker('ps', ...args, '--format', '{{.Names}}')).stdout
        .split('\n')
        .filter((row) => row !== '');
    assert.deepEqual(await rows(), []);
    assert.deepEqual(await rows('-a'), ['job-b', 'job-a']);
    assert.deepEqual(await rows('-a', '--filter', 'label=tao-job=a'), ['job-a']);
    assert.deepEqual(await rows('-a', '--filter', 'label=tao-job'), ['job-b', 'job-a']);
    assert.deepEqual(await rows('-a', '--filter', 'label=tao-job', '--filter', 'label=owner=x'), ['job-a']);
    assert.deepEqual(await rows('-a', '--filter', 'name=^/job-b$'), ['job-b']);
    assert.deepEqual(await rows('--filter', 'status=exited'), ['job-a']);
    const json = await machine.docker('ps', '-a', '--filter', 'name=job-a', '--format', '{{json .}}');
    const row: Record<string, unknown> = JSON.parse(json.stdout);
    assert.deepEqual(
      [row.Names, row.State, row.Labels, row.Image, row.Command, row.Mounts, row.Networks],
      [
        'job-a',
        'exited',
        'owner=x,tao-job=a',
        'ubuntu',
        '"bash -c \'exit 3\'"'.replaceAll("'", ''),
        '',
        'bridge',
      ],
    );
    assert.match(String(row.Status), /^Exited \(3\) .* ago$/);
    const table = await machine.docker('ps', '-a', '--format', 'table {{.Names}}\t{{.State}}');
    assert.equal(table.stdout, 'NAMES   STATE\njob-b   created\njob-a   exited\n');
    assert.equal((await machine.docker('ps', '-a', '--filter', 'status=odd')).code, 1);
  });

  it('inspect answers the templates of a poll, for several names, and tells a wrong field', async () => {
    using machine = new Machine().withImages();
    const flags = [
      '--label',
      'a.b=c',
      '--gpus',
      'all',
      '--shm-size',
      '16g',
      '--ulimit',
      'memlock=-1',
      '--restart',
      'no',
    ];
    await machine.docker(
      'create',
      '-q',
      '--name',
      'job',
      ...flags,
      '-v',
      `${machine.home}:/data:ro`,
      '-e',
      'K=v',
      'ubuntu',
      'true',
    );
    await machine.docker('create', '--name', 'two', 'ubuntu', 'true');
    const cases: [string, string][] = [
      ['{{.Name}} {{.Config.Image}} {{.Path}}', '/job ubuntu true'],
      ['{{index .Config.Labels "a.b"}}|{{index .Config.Labels "none"}}', 'c|'],
      ['{{json .Config.Labels}}', '{"a.b":"c"}'],
      ['{{.HostConfig.ShmSize}} {{.HostConfig.RestartPolicy.Name}}', '17179869184 no'],
      ['{{range .Mounts}}{{.Source}}->{{.Destination}} {{.RW}}{{end}}', `${machine.home}->/data false`],
      [
        '{{range .Config.Env}}{{println .}}{{end}}',
        'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nK=v',
      ],
      ['{{if .State.Running}}up{{else}}down{{end}}', 'down'],
      ['{{with .State}}{{.Status}}{{end}} {{.State.StartedAt}}', 'created 0001-01-01T00:00:00Z'],
      ['{{len .Mounts}}{{- " " -}}{{eq .State.Status "created"}}', '1 true'],
      ['{{printf "%s/%d" .State.Status .State.ExitCode}}', 'created/0'],
      ['{{.Config.Cmd}}', '[true]'],
      ['{{range $k, $v := .Config.Labels}}{{$k}}={{$v}}{{end}}', 'a.b=c'],
    ];
    for (const [template, expected] of cases)
      assert.equal(await machine.inspect('job', template), expected, template);
    const both = await machine.docker('inspect', '--format', '{{.Name}}', 'job', 'none', 'two');
    assert.deepEqual(
      [both.code, both.stdout, both.stderr],
      [1, '/job\n/two\n', 'Error: No such object: none\n'],
    );
    const wrong = await machine.docker('inspect', '--format', '{{.State.Nope}}', 'job');
    assert.equal(wrong.code, 1);
    assert.match(
      wrong.stderr,
      /^template parsing error: template: :1:\d+: executing "" at <\.State\.Nope>: map has no entry for key "Nope"\n$/,
    );
    const whole: unknown = JSON.parse((await machine.docker('inspect', '--type', 'container', 'job')).stdout);
    assert.ok(Array.isArray(whole) && whole.length === 1);
    const id = await machine.inspect('job', '{{.Id}}');
    assert.equal(await machine.inspect(id.slice(0, 12), '{{.Name}}'), '/job');
  });

  it('info names the nvidia runtime where there is a GPU', async () => {
    using machine = new Machine();
    assert.equal(
      (await machine.docker('info', '--format', '{{range $name, $value := .Runtimes}}{{$name}} {{end}}'))
        .stdout,
      'nvidia runc \n',
    );
    machine.write('no-gpu', '');
    assert.match((await machine.docker('info')).stdout, /Runtimes: runc\n/);
    assert.equal((await machine.docker('version', '--format', '{{.Server.Version}}')).stdout, '28.2.2\n');
    assert.match(
      (await machine.docker('system', 'df')).stdout,
      /^TYPE +TOTAL +ACTIVE +SIZE +RECLAIMABLE\nImages /,
    );
  });

  it('exec runs one more process in a running container', async () => {
    using machine = new Machine().withImages();
    const gate = machine.gate('gate');
    const script = 'echo made > /tmp/file; echo up; read -r _ < /ctl/gate';
    await machine.docker(
      'run',
      '-q',
      '-d',
      '--name',
      'job',
      '-e',
      'A=b',
      '-v',
      `${machine.home}:/ctl`,
      'ubuntu',
      'bash',
      '-c',
      script,
    );
    const logs = machine.start('docker', ['logs', '-f', 'job']);
    await logs.until('up');
    const outcome = await machine.docker('exec', 'job', 'bash', '-c', 'cat /tmp/file; echo $A; exit 4');
    assert.deepEqual([outcome.code, outcome.stdout], [4, 'made\nb\n']);
    await gate.open();
    await logs.done;
    assert.match(
      (await machine.docker('exec', 'job', 'true')).stderr,
      /container [0-9a-f]{64} is not running/,
    );
  });
});
