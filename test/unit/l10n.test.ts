import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import * as z from 'zod/mini';
import { repositoryRoot } from '../support/paths.ts';

const BUNDLE = 'l10n/bundle.l10n.fr.json';
const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');

interface Sentence {
  readonly file: string;
  readonly text: string;
}

/** A literal in any quotes, or several joined by +; undefined where it is anything else. */
function literalAt(code: string, start: number): string | undefined {
  const literal =
    /\s*(?:'((?:[^'\\\n]|\\[\s\S])*)'|"((?:[^"\\\n]|\\[\s\S])*)"|`((?:[^`\\$]|\\[\s\S])*)`)\s*(\+)?/y;
  let text = '';
  literal.lastIndex = start;
  for (;;) {
    const match = literal.exec(code);
    if (match === null) {
      return undefined;
    }
    text += unescaped(match[1] ?? match[2] ?? match[3] ?? '');
    if (match[4] === undefined) {
      return text;
    }
  }
}

function unescaped(text: string): string {
  return text.replace(
    /\\(u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|\n|[\s\S])/gi,
    (_, all: string, braces: string | undefined, four: string | undefined, two: string | undefined) => {
      const code = braces ?? four ?? two;
      if (code !== undefined) {
        return String.fromCodePoint(Number.parseInt(code, 16));
      }
      return { n: '\n', t: '\t', r: '\r', '\n': '' }[all] ?? all;
    },
  );
}

/** Comments would have quotes of their own. */
const withoutComments = (code: string) => code.replace(/^\s*(?:\/\/.*|\/\*\*?.*|\*(?: .*|\/.*)?)$/gm, '');

const sentences: Sentence[] = [];
const notLiteral: string[] = [];
for (const file of globSync('src/**/*.ts', { cwd: repositoryRoot })) {
  const code = withoutComments(read(file));
  for (const match of code.matchAll(
    /(?<![\w.])(?:vscode\.)?l10n\.t\(|(?<![\w.])message\(|(?<![\w.])template:(?= *['"`\n])/g,
  )) {
    const end = match.index + match[0].length;
    if (/\bfunction $/.test(code.slice(0, match.index))) {
      continue;
    }
    const text = literalAt(code, end);
    if (text === undefined) {
      notLiteral.push(`${file}: ${code.slice(match.index, match.index + 60).replaceAll(/\s+/g, ' ')}`);
    } else {
      sentences.push({ file, text });
    }
  }
}

const places = (text: string) =>
  [...text.matchAll(/\{(\d+)\}/g)].map((match) => match[1]).sort((a, b) => Number(a) - Number(b));
const bundle = () => z.parse(z.record(z.string(), z.string()), JSON.parse(read(BUNDLE)));

describe('what the extension says', () => {
  it('is collected from the sources', () => {
    assert.ok(sentences.length > 100, String(sentences.length));
  });

  it('stands there as literals, which can be collected', () => {
    // localize.ts translates templates that were collected where they were made
    assert.deepEqual(
      notLiteral.filter((line) => !line.startsWith('src/ui/localize.ts')),
      [],
    );
  });

  it('has a French translation for each sentence', () => {
    const french = bundle();
    const missing = sentences
      .filter(({ text }) => !(text in french))
      .map(({ file, text }) => `${file}: ${text}`);
    assert.deepEqual([...new Set(missing)], []);
  });

  it('has no translation of what nobody says any more', () => {
    const said = new Set(sentences.map(({ text }) => text));
    assert.deepEqual(
      Object.keys(bundle()).filter((text) => !said.has(text)),
      [],
    );
  });

  it('has the same places in both languages, each used as often', () => {
    for (const [english, french] of Object.entries(bundle())) {
      assert.deepEqual(places(french), places(english), english);
    }
  });

  it('is not empty in French, nor English with another key', () => {
    for (const [english, french] of Object.entries(bundle())) {
      assert.notEqual(french.trim(), '', english);
      // a single word, or a list of places, may be the same
      assert.ok(french !== english || (english.match(/\p{L}{2,}/gu) ?? []).length < 3, english);
    }
  });

  it('counts its places from 0 without a gap', () => {
    for (const { file, text } of sentences) {
      const used = [...new Set(places(text))];
      assert.deepEqual(
        used,
        used.map((_, index) => String(index)),
        `${file}: ${text}`,
      );
    }
  });
});
