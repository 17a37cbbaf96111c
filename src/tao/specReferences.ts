import type { SpecScalar } from './specScalars.ts';

/** Longer than any path: references that double a text at each step end here. */
const MAX_CHARACTERS = 4096;
const MAX_STEPS = 50;
const REFERENCE = /\$\{([^${}]*)\}/;

/**
 * The text of a scalar with OmegaConf's `${key.path}` put in, as TAO's reader would; undefined when it refers to
 * something that only a run knows, such as `${oc.env:NAME}`, or goes in a circle.
 */
export function withReferences(scalar: SpecScalar, spec: ReadonlyMap<string, string>): string | undefined {
  let text = scalar.value;
  for (let step = 0; text.includes('${'); step++) {
    const match = REFERENCE.exec(text);
    const name = match?.[1]?.trim();
    const value = name === undefined ? undefined : spec.get(absoluteKey(name, scalar.keyPath));
    if (match === null || value === undefined || step === MAX_STEPS || text.length > MAX_CHARACTERS) {
      return undefined;
    }
    text = text.slice(0, match.index) + value + text.slice(match.index + match[0].length);
  }
  return text;
}

/** The texts of a spec by their keys, as references name them. */
export function byKey(scalars: readonly SpecScalar[]): ReadonlyMap<string, string> {
  return new Map(scalars.map(({ keyPath, value }) => [keyPath.join('.'), value]));
}

/** `${.a}` is a neighbour, `${..a}` a neighbour of the parent; `${a[0]}` is `${a.0}`. */
function absoluteKey(name: string, keyPath: readonly string[]): string {
  const plain = name.replace(/\[(\w+)\]/g, '.$1');
  const dots = /^\.*/.exec(plain)?.[0].length ?? 0;
  return dots === 0 ? plain : [...keyPath.slice(0, -dots), plain.slice(dots)].join('.');
}
