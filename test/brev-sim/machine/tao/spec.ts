import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { isRecord } from '../json.ts';

type Tree = Record<string, unknown>;

/** A spec with the command line's overrides in it, read by dotted keys. */
export class Spec {
  readonly tree: Tree;

  constructor(tree: Tree) {
    this.tree = tree;
  }

  at(key: string): unknown {
    let value: unknown = this.tree;
    for (const part of key.split('.')) {
      if (!isRecord(value)) return undefined;
      value = value[part];
    }
    return value;
  }

  number(key: string, whenAbsent: number): number {
    const value = this.at(key);
    return typeof value === 'number' ? value : whenAbsent;
  }

  text(key: string): string {
    const value = this.at(key);
    return typeof value === 'string' ? value : '';
  }

  set(key: string, value: unknown): void {
    const parts = key.split('.');
    let tree = this.tree;
    for (const part of parts.slice(0, -1)) {
      const next = tree[part];
      if (isRecord(next)) tree = next;
      else {
        const made: Tree = {};
        tree[part] = made;
        tree = made;
      }
    }
    tree[parts.at(-1) ?? ''] = value;
  }

  yaml(): string {
    return stringify(this.tree);
  }

  /** Every absolute path below a key, such as the data files that must exist. */
  pathsBelow(key: string): string[] {
    const found: string[] = [];
    const visit = (value: unknown): void => {
      if (typeof value === 'string' && /^\/[^\s]+$/.test(value)) found.push(value);
      else if (Array.isArray(value)) value.forEach(visit);
      else if (isRecord(value)) Object.values(value).forEach(visit);
    };
    visit(this.at(key));
    return found;
  }
}

/** Reads a spec file and applies hydra overrides such as `train.num_epochs=3`, `+a.b=[1,2]`, `~c`. */
export function loadSpec(path: string, overrides: string[]): Spec {
  const tree: unknown = parse(readFileSync(path, 'utf8'));
  const spec = new Spec(isRecord(tree) ? tree : {});
  for (const override of overrides) {
    const equals = override.indexOf('=');
    if (equals < 0) continue;
    const key = override.slice(0, equals).replace(/^\+{1,2}/, '');
    const value: unknown = parse(override.slice(equals + 1));
    spec.set(key, value);
  }
  return spec;
}
