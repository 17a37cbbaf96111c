const SPECIAL = ['NaN', '-Infinity', 'Infinity'];

/**
 * Reads JSON as Python's json.dumps writes it: NaN and infinities stand bare, which JSON.parse refuses (tao.md part 3);
 * they come back as texts. Undefined when it is none.
 */
export function parsePythonJson(text: string): unknown {
  const plain = parse(text);
  return plain === undefined && /NaN|Infinity/.test(text) ? parse(quoteSpecial(text)) : plain;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}

/** Puts quotes around the bare words, not around those in texts. */
function quoteSpecial(text: string): string {
  let out = '';
  let copied = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      isInText = !isInText;
    } else if (isInText) {
      at += character === '\\' ? 1 : 0;
    } else if (character === 'N' || character === 'I' || character === '-') {
      const word = SPECIAL.find((special) => text.startsWith(special, at));
      if (word !== undefined) {
        out += `${text.slice(copied, at)}"${word}"`;
        at += word.length - 1;
        copied = at + 1;
      }
    }
  }
  return out + text.slice(copied);
}
