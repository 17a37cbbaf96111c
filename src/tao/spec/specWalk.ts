import type { Node, Scalar } from 'yaml';
import { message } from '../../values/message.ts';
import type { Place, Places } from './place.ts';
import type { SpecDocument, SpecEntry, SpecFault } from './specDocument.ts';

const MAX_DEPTH = 100;
/** A spec that grows beyond it by its aliases would keep TAO busy for long: OmegaConf copies what they name. */
const MAX_EXPANDED = 100_000;

/**
 * Collects what is below a node in the order of the file. An alias stands for the one value it names; what lists and
 * maps hold is collected where it stands, so that nothing can multiply.
 */
export class SpecWalk {
  readonly entries: SpecEntry[] = [];
  /** What makes the spec unreadable. */
  readonly faults: SpecFault[] = [];
  readonly remarks: SpecDocument['remarks'][number][] = [];
  readonly #yaml: typeof import('yaml');
  readonly #places: Places;
  readonly #anchors = new Map<string, Node>();
  /** How many values each anchor stands for with all aliases put in; without a number while it is being read. */
  readonly #sizes = new Map<string, number | undefined>();
  #isStopped = false;

  constructor(yaml: typeof import('yaml'), places: Places) {
    this.#yaml = yaml;
    this.#places = places;
  }

  read(top: Node): void {
    const place = this.#placeOf(top, { line: 1, column: 1, length: 1 });
    this.#visit(top, [], place, place);
  }

  /** Gives the number of values that a node stands for. */
  #visit(node: unknown, keyPath: readonly string[], above: Place, keyPlace: Place): number {
    const { isAlias, isMap, isNode, isScalar, isSeq } = this.#yaml;
    if (!isNode(node) || this.#isStopped) {
      return 1;
    }
    const place = this.#placeOf(node, above);
    if (keyPath.length > MAX_DEPTH) {
      this.#isStopped = true;
      this.faults.push({
        problem: message('The spec is nested too deeply at line {0}.', place.line),
        place,
      });
      return 1;
    }
    if (isAlias(node)) {
      return this.#alias(node.source, keyPath, place, keyPlace);
    }
    const anchor = 'anchor' in node && typeof node.anchor === 'string' ? node.anchor : undefined;
    if (anchor !== undefined) {
      this.#anchors.set(anchor, node);
      this.#sizes.set(anchor, undefined);
    }
    let size = 1;
    if (isScalar(node)) {
      this.#scalar(node, keyPath, place, keyPlace);
    } else if (isSeq(node)) {
      this.#add({ keyPath, kind: 'list', value: null, place, keyPlace });
      size += this.#list(node.items, keyPath, place);
    } else if (isMap(node)) {
      this.#add({ keyPath, kind: 'map', value: null, place, keyPlace });
      size += this.#map(node.items, keyPath, place);
    }
    if (anchor !== undefined) {
      this.#sizes.set(anchor, size);
    }
    return size;
  }

  #list(items: readonly unknown[], keyPath: readonly string[], place: Place): number {
    let size = 0;
    for (const [index, item] of items.entries()) {
      // a pair in a list is a map of one, as `- ? a` makes it
      const node = this.#yaml.isPair(item) ? item.value : item;
      size += this.#visit(node, [...keyPath, String(index)], place, this.#placeOf(node, place));
    }
    return size;
  }

  #map(
    items: readonly { readonly key: unknown; readonly value: unknown }[],
    keyPath: readonly string[],
    place: Place,
  ): number {
    const { isScalar } = this.#yaml;
    const seen = new Set<string>();
    let size = 0;
    for (const { key, value } of items) {
      // a list or a map as a key has no name that another could repeat
      const name = isScalar(key) ? String(key.value) : '?';
      const keyPlace = this.#placeOf(key, place);
      if (isScalar(key) && seen.has(name) && name !== '<<') {
        this.faults.push({
          problem: message('The spec gives {0} twice, the second time in line {1}.', name, keyPlace.line),
          place: keyPlace,
        });
        continue;
      }
      if (isScalar(key)) {
        seen.add(name);
      }
      size += this.#visit(value, [...keyPath, name], keyPlace, keyPlace);
    }
    return size;
  }

  #alias(source: string, keyPath: readonly string[], place: Place, keyPlace: Place): number {
    const target = this.#anchors.get(source);
    if (target === undefined) {
      this.faults.push({
        problem: message(
          'Line {0} of the spec uses *{1}, which is not defined above it.',
          place.line,
          source,
        ),
        place,
      });
      return 1;
    }
    if (this.#yaml.isScalar(target)) {
      this.#scalar(target, keyPath, place, keyPlace);
      return 1;
    }
    const size = this.#sizes.get(source);
    if (size === undefined) {
      this.#remark(place, source);
      return 1;
    }
    if (size > MAX_EXPANDED) {
      this.#remark(place, source);
    }
    // beyond the limit the number doesn't matter any more, and it must stay one
    return Math.min(size, MAX_EXPANDED * 1000);
  }

  /** Once: what uses it is no better. */
  #remark(place: Place, source: string): void {
    if (!this.remarks.some(({ isHarmless }) => !isHarmless)) {
      this.remarks.push({
        problem: message(
          'What *{0} stands for grows beyond {1} values: TAO would not come to an end with it.',
          source,
          MAX_EXPANDED,
        ),
        place,
        isHarmless: false,
      });
    }
  }

  #scalar({ value }: Scalar, keyPath: readonly string[], place: Place, keyPlace: Place): void {
    switch (typeof value) {
      case 'string':
        this.#add({ keyPath, kind: 'text', value, place, keyPlace });
        return;
      case 'number':
      case 'bigint':
        this.#add({ keyPath, kind: 'number', value: Number(value), place, keyPlace });
        return;
      case 'boolean':
        this.#add({ keyPath, kind: 'boolean', value, place, keyPlace });
        return;
      default:
        if (value === null) {
          this.#add({ keyPath, kind: 'null', value, place, keyPlace });
        }
    }
  }

  #add(entry: SpecEntry): void {
    this.entries.push(entry);
  }

  #placeOf(node: unknown, otherwise: Place): Place {
    return this.#yaml.isNode(node) && node.range ? this.#places.at(node.range[0], node.range[1]) : otherwise;
  }
}
