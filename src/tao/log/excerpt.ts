const MAX_EXCERPT = 600;

/** What follows a word in a text, up to a length that any pattern gets through at once; undefined without the word. */
export function after(text: string, word: string): string | undefined {
  const at = text.indexOf(word);
  return at < 0 ? undefined : text.slice(at + word.length, at + word.length + MAX_EXCERPT);
}

/** The same from the word itself on. */
export function from(text: string, word: string): string | undefined {
  const at = text.indexOf(word);
  return at < 0 ? undefined : text.slice(at, at + MAX_EXCERPT);
}

/** A line for a sentence: no longer than one can read. */
export function shortLine(text: string): string {
  const line = text.trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
