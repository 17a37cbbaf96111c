import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { repositoryRoot } from '../support/paths.ts';

/** The rows of the design, the highest first: a file imports only from its own row and the rows below. */
const ROWS: readonly (readonly string[])[] = [
  ['extension.ts'],
  ['ui'],
  ['workflow', 'jobs', 'preflight'],
  ['platforms'],
  ['instances', 'tao', 'remote', 'storage'],
  ['brev'],
  ['process'],
  ['values'],
];

interface Import {
  readonly from: string;
  readonly specifier: string;
  /** Types go away when the file is run. */
  readonly typeOnly: boolean;
}

const root = path.join(repositoryRoot, 'src');
const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.d.ts'));
const sources = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
const imports = [...sources].flatMap(([file, text]) => importsOf(file, text));

function importsOf(file: string, text: string): Import[] {
  const code = text.replace(/^\s*(?:\/\/.*|\/?\*.*)$/gm, '');
  const found: Import[] = [];
  for (const [, words = '', specifier = ''] of code.matchAll(
    /^(?:import|export)\s+([^;'"]*?\sfrom\s+)?'([^']+)'/gm,
  )) {
    const names = /\{([^}]*)\}/.exec(words)?.[1];
    const allTypes =
      names?.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type ')) ?? false;
    found.push({
      from: file,
      specifier,
      typeOnly: words.startsWith('type ') || (allTypes && !/^[\w*]/.test(words)),
    });
  }
  for (const [, specifier = ''] of code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)) {
    found.push({ from: file, specifier, typeOnly: false });
  }
  return found;
}

const folderOf = (file: string) => file.split(path.sep)[0] ?? '';
const rowOf = (file: string) => ROWS.findIndex((row) => row.includes(folderOf(file)));
const inWords = ({ from, specifier }: Import) => `src/${from} imports ${specifier}`;

describe('the layers', () => {
  it('has found the imports', () => {
    assert.ok(files.length > 50);
    assert.ok(imports.length > 200);
    assert.ok(imports.some(({ specifier }) => specifier === 'vscode'));
    assert.ok(imports.some(({ specifier }) => specifier === 'execa'));
    assert.ok(imports.some(({ typeOnly }) => typeOnly));
  });

  it('has a row for each file', () => {
    assert.deepEqual(
      files.filter((file) => rowOf(file) < 0),
      [],
    );
  });

  it('lets a file import only from its own row and the rows below', () => {
    const wrong = imports.filter(({ from, specifier }) => {
      if (!specifier.startsWith('.')) {
        return false;
      }
      const target = path.join(path.dirname(from), specifier);
      return target.startsWith('..') || rowOf(target) < rowOf(from);
    });
    assert.deepEqual(wrong.map(inWords), []);
  });

  it('names files with their extension, and only files that are there', () => {
    const wrong = imports.filter(
      ({ from, specifier }) =>
        specifier.startsWith('.') && !existsSync(path.join(root, path.dirname(from), specifier)),
    );
    assert.deepEqual(wrong.map(inWords), []);
  });

  it('keeps vscode in the UI', () => {
    const wrong = imports.filter(({ from, specifier }) => specifier === 'vscode' && rowOf(from) > 1);
    assert.deepEqual(wrong.map(inWords), []);
  });

  it('has one place that starts processes, without a shell', () => {
    const wrong = imports.filter(
      ({ from, specifier, typeOnly }) =>
        /^(?:(?:node:)?child_process|execa)$/.test(specifier) && !typeOnly && folderOf(from) !== 'process',
    );
    assert.deepEqual(wrong.map(inWords), []);
    for (const [file, text] of sources) {
      assert.doesNotMatch(text, /\bshell\s*:\s*(?:true|['"`])/, `src/${file}`);
    }
  });

  it('has zod only as zod/mini', () => {
    const wrong = imports.filter(({ specifier }) => /^zod(?:$|\/(?!mini$))/.test(specifier));
    assert.deepEqual(wrong.map(inWords), []);
  });

  it('names the builtin modules as such', () => {
    const wrong = imports.filter(({ specifier }) =>
      /^(?:fs|path|os|crypto|util|events|child_process|stream|url)(?:\/|$)/.test(specifier),
    );
    assert.deepEqual(wrong.map(inWords), []);
  });
});
