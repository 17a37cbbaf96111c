const ESC = '\\u001b';
const BEL = '\\u0007';

/**
 * Terminal control sequences: CSI, OSC and the short ones. Node's own stripVTControlCharacters takes quadratic time for
 * sequences that never end, and a log may be full of them.
 */
const SEQUENCE = new RegExp(
  [
    `${ESC}\\[[0-?]*[ -/]*[@-~]`,
    `${ESC}\\][^${BEL}${ESC}\\n]{0,1000}(?:${BEL}|${ESC}\\\\)`,
    `${ESC}[PX^_][^${ESC}\\n]{0,1000}${ESC}\\\\`,
    `${ESC}[ -/]*[0-~]`,
  ].join('|'),
  'g',
);
/** What is left of them and other characters that a text channel would not show; tab, line feed and return stay. */
const CONTROL = /[\p{Cc}]/gu;

/** The text without colours, cursor movements and other control characters. */
export function plainText(text: string): string {
  return text
    .replace(SEQUENCE, '')
    .replace(CONTROL, (character) =>
      character === '\n' || character === '\r' || character === '\t' ? character : '',
    );
}
