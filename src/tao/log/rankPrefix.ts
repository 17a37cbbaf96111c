/** A line without the mark that PyTorch gives to those of a rank, `[rank1]: …`, and the rank. */
export function withoutRank(text: string): { readonly rank: number | undefined; readonly text: string } {
  const match = /^\s{0,40}\[rank(\d{1,4})\]:? ?/.exec(text.slice(0, 60));
  return match === null
    ? { rank: undefined, text }
    : { rank: Number(match[1]), text: text.slice(match[0].length) };
}
