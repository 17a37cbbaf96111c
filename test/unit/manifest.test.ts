import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import * as z from 'zod/mini';
import { commandIds } from '../../src/ui/commands/commandIds.ts';
import { repositoryRoot } from '../support/paths.ts';

const settingSchema = z.object({
  scope: z.optional(z.string()),
  markdownDescription: z.optional(z.string()),
  description: z.optional(z.string()),
});
const settings = z.object({ properties: z.record(z.string(), settingSchema) });
const manifestSchema = z.object({
  activationEvents: z.array(z.string()),
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), title: z.string(), category: z.optional(z.string()) })),
    menus: z.record(
      z.string(),
      z.array(z.object({ command: z.optional(z.string()), when: z.optional(z.string()) })),
    ),
    keybindings: z._default(z.array(z.object({ command: z.string() })), []),
    configuration: z.union([settings, z.array(settings)]),
    viewsWelcome: z._default(z.array(z.object({ contents: z.string() })), []),
  }),
  capabilities: z.object({
    untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }),
  }),
});

const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');
const strings = (file: string) => z.parse(z.record(z.string(), z.string()), JSON.parse(read(file)));
const text = read('package.json');
const manifest = z.parse(manifestSchema, JSON.parse(text));
const { commands, configuration, keybindings, menus, viewsWelcome } = manifest.contributes;
const allSettings = Object.assign(
  {},
  ...(Array.isArray(configuration) ? configuration : [configuration]).map(({ properties }) => properties),
);
const english = strings('package.nls.json');
const french = strings('package.nls.fr.json');
const declared = new Set(commands.map(({ command }) => command));
const sorted = (words: Iterable<string>) => [...words].sort((a, b) => a.localeCompare(b));

describe('the activation events', () => {
  it('open again what was open before a reload: panels, and files of instances', () => {
    const extension = read('src/extension.ts');
    const panels = [...extension.matchAll(/registerWebviewPanelSerializer\('([^']+)'/g)].map(
      ([, type]) => `onWebviewPanel:${type}`,
    );
    const scheme = /REMOTE_SCHEME = '([^']+)'/.exec(read('src/ui/files/remoteUri.ts'))?.[1];
    assert.deepEqual(
      sorted(manifest.activationEvents),
      sorted(['onStartupFinished', ...panels, `onFileSystem:${scheme}`]),
    );
    assert.equal(panels.length, 2);
  });
});

describe('the commands', () => {
  it('are the same in the manifest, in the list of ids and in the files that carry them out', () => {
    const files = globSync('src/ui/commands/*.ts', { cwd: repositoryRoot });
    const inFiles = files.flatMap((file) =>
      [...read(file).matchAll(/^\s+id: '(brev\.[^']+)'/gm)].map((match) => match[1] ?? ''),
    );
    assert.equal(new Set(inFiles).size, inFiles.length, 'an id stands in two files');
    assert.deepEqual(sorted(inFiles), sorted(commandIds));
    assert.deepEqual(sorted(commandIds), sorted(declared));
    assert.equal(declared.size, commands.length);
  });

  it('are known wherever a menu, a key or a welcome text names one', () => {
    const named = [
      ...Object.values(menus).flatMap((entries) => entries.flatMap(({ command }) => command ?? [])),
      ...keybindings.map(({ command }) => command),
    ];
    assert.deepEqual(
      named.filter((command) => command.startsWith('brev.') && !declared.has(command)),
      [],
    );
    for (const translation of [english, french]) {
      const linked = Object.values(translation).flatMap((words) =>
        [...words.matchAll(/\(command:(brev\.[\w.]+)/g)].map((match) => match[1] ?? ''),
      );
      assert.deepEqual(
        linked.filter((command) => !declared.has(command)),
        [],
      );
    }
    assert.ok(viewsWelcome.length > 0);
  });

  it('have a title in a translation, and all the same category', () => {
    for (const { command, title, category } of commands) {
      assert.match(title, /^%[\w.]+%$/, command);
      assert.equal(category, 'Brev', command);
    }
  });
});

describe('the strings of the manifest', () => {
  const used = new Set([...text.matchAll(/"%([\w.]+)%"/g)].map((match) => match[1] ?? ''));

  it('are translated, each one, into English and French, and no other is', () => {
    assert.deepEqual(sorted(Object.keys(english)), sorted(used));
    assert.deepEqual(sorted(Object.keys(french)), sorted(used));
  });

  it('are not empty, and French is not English', () => {
    for (const [key, words] of Object.entries(english)) {
      assert.notEqual(words.trim(), '', key);
      assert.notEqual(french[key]?.trim(), '', key);
    }
    const same = Object.keys(english).filter(
      (key) => english[key] === french[key] && (english[key] ?? '').split(' ').length > 2,
    );
    assert.deepEqual(same, []);
  });

  it('have the same links in both', () => {
    const links = (words: string) =>
      sorted([...words.matchAll(/\]\(([^)]+)\)|`#([\w.]+)#`/g)].map((match) => match[1] ?? match[2] ?? ''));
    for (const [key, words] of Object.entries(english)) {
      assert.deepEqual(links(french[key] ?? ''), links(words), key);
    }
  });
});

describe('the settings', () => {
  it('that name a program cannot be set by a folder that somebody opens', () => {
    const programs = Object.keys(allSettings).filter((name) =>
      /path|binary|program|executable|command|python|\bcli\b/i.test(name),
    );
    assert.ok(programs.includes('brev.path'));
    for (const name of programs) {
      assert.match(allSettings[name]?.scope ?? '', /^(?:machine|application)$/, name);
    }
  });

  it('that decide what is run are not taken from a folder that isn’t trusted', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const deciding = Object.keys(allSettings).filter((name) =>
      /path|binary|program|executable|command|python|image/i.test(name),
    );
    for (const name of deciding) {
      assert.ok(restrictedConfigurations.includes(name), name);
    }
    for (const name of restrictedConfigurations) {
      assert.ok(name in allSettings, `${name} is no setting`);
    }
  });

  it('are those that are read', () => {
    const code = read('src/ui/settings.ts');
    const names = [...code.matchAll(/\b(?:bounded\(|text\('brev', )'([\w.]+)'/g)].map(
      (match) => `brev.${match[1]}`,
    );
    assert.ok(names.includes('brev.path'));
    assert.deepEqual(
      names.filter((name) => !(name in allSettings)),
      [],
    );
    const all = globSync('src/**/*.ts', { cwd: repositoryRoot }).map(read).join('\n');
    const unread = Object.keys(allSettings).filter(
      (name) => !names.includes(name) && !all.includes(`'${name.replace('brev.', '')}'`),
    );
    assert.deepEqual(unread, []);
  });

  it('each have a description and a scope', () => {
    for (const [name, setting] of Object.entries<z.infer<typeof settingSchema>>(allSettings)) {
      assert.ok(setting.scope, name);
      assert.match(setting.markdownDescription ?? setting.description ?? '', /^%[\w.]+%$/, name);
    }
  });
});
