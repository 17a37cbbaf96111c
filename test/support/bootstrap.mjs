// The entry of `npm test`, `npm run demo` and the like on a fresh clone: plain JavaScript for any Node >= 18, no
// dependencies. Installs what package-lock.json says where node_modules differs, then hands over to the Node in there.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const modules = path.join(root, 'node_modules');
const node = path.join(modules, process.platform === 'win32' ? 'node/bin/node.exe' : 'node/bin/node');
// what the scripts of these packages put in place, by npm's record or without
const programs = [node, path.join(modules, '.bin/bun')];

const packagesOf = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {});

// By content, not by date: a checkout gives files new dates. npm keeps its own record of what it put into node_modules.
function upToDate() {
  const installed = packagesOf(path.join(modules, '.package-lock.json'));
  return Object.entries(packagesOf(path.join(root, 'package-lock.json'))).every(
    ([name, entry]) => name === '' || entry.optional || installed[name]?.version === entry.version,
  );
}

function install() {
  const npmScript = process.env.npm_execpath;
  const [command, first] = npmScript?.endsWith('js') ? [process.execPath, [npmScript]] : ['npm', []];
  const { status, error } = spawnSync(command, [...first, 'ci'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (error) console.error(`npm could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
  for (const program of programs) {
    if (existsSync(program)) continue;
    console.error(
      `npm ci left nothing at ${program}: are install scripts switched off (npm config get ignore-scripts)?`,
    );
    process.exit(1);
  }
}

if (!programs.every((program) => existsSync(program)) || !upToDate()) {
  console.error('Installing the dependencies in package-lock.json (npm ci)');
  install();
}

const child = spawn(node, process.argv.slice(2), {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: path.join(modules, '.bin') + path.delimiter + (process.env.PATH ?? '') },
});
// The child cleans up after itself and then ends; ending before it would orphan what it started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
