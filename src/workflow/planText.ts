import type { Document, Pair } from 'yaml';
import { FILE_BEGIN, type Place, Places } from '../tao/spec/place.ts';
import { type Message, message } from '../values/message.ts';

/** Parsing and looking for repeated keys block the extension host; plans have some kilobytes. */
const MAX_CHARACTERS = 128 * 1024;

/** A plan's text as values with their places, JSON or YAML. */
export type PlanText =
  | {
      readonly kind: 'read';
      readonly value: unknown;
      /** Of the value that these keys lead to, or of the nearest one around it. */
      readonly placeOf: (path: readonly PropertyKey[]) => Place;
      /** Of the key itself; of the value in a list. */
      readonly keyPlaceOf: (path: readonly PropertyKey[]) => Place;
    }
  | { readonly kind: 'unreadable'; readonly problem: Message; readonly place: Place };

/** Reads the text. JSON is YAML; so one reader serves both, and has the places. */
export async function readPlanText(text: string): Promise<PlanText> {
  if (text.length > MAX_CHARACTERS) {
    return { kind: 'unreadable', problem: message('The file is too large for a plan.'), place: FILE_BEGIN };
  }
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  for (let start = 0; start >= 0; start = text.indexOf('\n', start) + 1 || -1) {
    lines.addNewLine(start);
  }
  const parse = (source: string): Document =>
    yaml.parseDocument(source, { prettyErrors: false, logLevel: 'error' });
  let document = parse(text);
  let shift = 0;
  if (document.errors.length > 0 && text.trimStart().startsWith('{')) {
    // steps in a row without brackets, as the skill bank's own page shows them
    const inBrackets = parse(`[${text}\n]`);
    if (inBrackets.errors.length === 0) {
      document = inBrackets;
      shift = 1;
    }
  }
  const places = new Places(text, lines);
  const at = (range: readonly number[] | null | undefined): Place | undefined => {
    const [start, end] = range ?? [];
    return start === undefined || end === undefined ? undefined : places.at(start - shift, end - shift);
  };
  const [error] = document.errors;
  if (error !== undefined) {
    return {
      kind: 'unreadable',
      problem: message('The plan is not valid JSON or YAML: {0}', error.message.split('\n', 1)[0] ?? ''),
      place: at(error.pos) ?? FILE_BEGIN,
    };
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error_) {
    // aliases that multiply, or one that is not defined
    return {
      kind: 'unreadable',
      problem: message('The plan is not valid JSON or YAML: {0}', String(error_)),
      place: FILE_BEGIN,
    };
  }
  const rangeAt = (path: readonly PropertyKey[]): Place | undefined => {
    const node = document.getIn(path, true);
    return yaml.isNode(node) ? at(node.range) : undefined;
  };
  const placeOf = (path: readonly PropertyKey[]): Place => {
    for (let length = path.length; length > 0; length--) {
      const place = rangeAt(path.slice(0, length));
      if (place !== undefined) {
        return place;
      }
    }
    return rangeAt([]) ?? FILE_BEGIN;
  };
  const keyPlaceOf = (path: readonly PropertyKey[]): Place => {
    const map = path.length === 0 ? undefined : document.getIn(path.slice(0, -1), true);
    const pair: Pair | undefined = yaml.isMap(map)
      ? map.items.find(({ key }) => yaml.isScalar(key) && String(key.value) === String(path.at(-1)))
      : undefined;
    return (yaml.isNode(pair?.key) ? at(pair.key.range) : undefined) ?? placeOf(path);
  };
  return { kind: 'read', value, placeOf, keyPlaceOf };
}
