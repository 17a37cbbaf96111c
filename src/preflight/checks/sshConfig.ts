import path from 'node:path';

/** Whether an ssh configuration includes a file for every host. */
export type Inclusion = 'always' | 'forSomeHosts' | 'no';

/**
 * Finds the Include of `file` in the text of `~/.ssh/config`. An Include behind a Host or Match line belongs to that
 * block, and does nothing for other hosts.
 */
export function inclusionOf(file: string, config: string, home: string): Inclusion {
  let inclusion: Inclusion = 'no';
  let inBlock = false;
  for (const line of config.split(/\r?\n/)) {
    const [keyword = '', ...words] = wordsOf(line);
    switch (keyword.toLowerCase()) {
      case 'host':
        inBlock = !words.includes('*');
        break;
      case 'match':
        inBlock = words.join(' ').toLowerCase() !== 'all';
        break;
      case 'include':
        if (words.some((word) => resolve(word, home) === file)) {
          if (!inBlock) {
            return 'always';
          }
          inclusion = 'forSomeHosts';
        }
        break;
      default:
        break;
    }
  }
  return inclusion;
}

/** The words of a line: `Keyword arg "arg with blanks"` or `Keyword=arg`. */
function wordsOf(line: string): readonly string[] {
  const text = line.trim();
  if (text.startsWith('#')) {
    return [];
  }
  const [, keyword, rest = ''] = /^([A-Za-z]+)(?:\s*=\s*|\s+)(.*)$/.exec(text) ?? [];
  if (keyword === undefined) {
    return [];
  }
  const words = [...rest.matchAll(/"([^"]*)"|([^\s"]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return [keyword, ...words];
}

/** As ssh does: `~` is the home, and other names are relative to `~/.ssh`. */
function resolve(name: string, home: string): string {
  return path.resolve(path.join(home, '.ssh'), name.replace(/^(?:~|%d|\$\{HOME\})(?=\/)/, home));
}
