/** Texts before which a line begins although its end was dropped, with the length of what stands before them. */
const GLUED: readonly {
  readonly word: string;
  readonly before: RegExp | undefined;
  readonly back: number;
}[] = [
  { word: ' - [TAO Toolkit] - ', before: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}$/, back: 23 },
  { word: ' - TAO Toolkit - TAO Toolkit - ', before: /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}$/, back: 24 },
  { word: '`Trainer.fit` stopped', before: undefined, back: 0 },
  { word: 'Traceback (most recent call last)', before: undefined, back: 0 },
  { word: 'torch.OutOfMemoryError: ', before: undefined, back: 0 },
  { word: 'torch.cuda.OutOfMemoryError: ', before: undefined, back: 0 },
  { word: 'Error executing job with overrides', before: undefined, back: 0 },
];
/** The mark of a rank belongs to what it stands before. */
const RANK = /\[rank\d{1,4}\]:? ?$/;
/** A line has few; what has more was not glued by TAO. */
const MAX_PIECES = 64;

/**
 * Cuts a line where others are glued to it: TAO's entrypoint writes whatever has brackets without its line end
 * (tao.md part 3, "carriage-return gluing").
 */
export function piecesOf(line: string): readonly string[] {
  const cuts = new Set<number>();
  for (const { word, before, back } of GLUED) {
    let at = line.indexOf(word);
    for (let count = 0; at >= 0 && count < MAX_PIECES; count++) {
      const begin = at - back;
      if (begin > 0 && (before === undefined || before.test(line.slice(begin, at)))) {
        cuts.add(begin - (RANK.exec(line.slice(Math.max(0, begin - 14), begin))?.[0].length ?? 0));
      }
      at = line.indexOf(word, at + word.length);
    }
  }
  cuts.delete(0);
  if (cuts.size === 0) {
    return [line];
  }
  const places = [0, ...[...cuts].sort((a, b) => a - b), line.length];
  return places.slice(1).map((end, index) => line.slice(places[index], end));
}
