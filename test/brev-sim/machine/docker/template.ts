import { isRecord } from '../json.ts';
import { type Node, type Pipeline, parseTemplate, TemplateError, type Term } from './template-parser.ts';

/** A value that a template works on: JSON, or a method that takes words. */
export type Value = unknown;

interface Scope {
  dot: Value;
  variables: Map<string, Value>;
  /** Go's name of the root type, for the text of an unknown field. */
  type: string;
}

/** Compiles a template; the result renders one object. `type` is Go's name for it in error texts. */
export function compileTemplate(source: string, type = 'map'): (root: Value) => string {
  const nodes = parseTemplate(source);
  return (root) => render(nodes, { dot: root, variables: new Map([['$', root]]), type });
}

function render(nodes: Node[], scope: Scope): string {
  let output = '';
  for (const node of nodes) {
    switch (node.kind) {
      case 'text':
        output += node.text;
        break;
      case 'print': {
        const value = evaluate(node.pipeline, scope);
        if (node.pipeline.assign.length === 0) output += show(value);
        break;
      }
      case 'if':
      case 'with': {
        const value = evaluate(node.pipeline, scope);
        const inner = node.kind === 'with' ? { ...scope, dot: value } : scope;
        output += isTrue(value) ? render(node.body, inner) : render(node.otherwise, scope);
        break;
      }
      case 'range':
        output += renderRange(node.body, node.otherwise, node.pipeline, scope);
        break;
    }
  }
  return output;
}

function renderRange(body: Node[], otherwise: Node[], pipeline: Pipeline, scope: Scope): string {
  const value = evaluate({ ...pipeline, assign: [] }, scope);
  const pairs: [Value, Value][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : isRecord(value)
      ? sortedKeys(value).map((key) => [key, value[key]])
      : [];
  if (pairs.length === 0) return render(otherwise, scope);
  return pairs
    .map(([key, item]) => {
      const variables = new Map(scope.variables);
      const [first, second] = pipeline.assign;
      if (second !== undefined) variables.set(second, item);
      if (first !== undefined) variables.set(first, second === undefined ? item : key);
      return render(body, { ...scope, dot: item, variables });
    })
    .join('');
}

function evaluate(pipeline: Pipeline, scope: Scope): Value {
  let value: Value;
  for (const [index, command] of pipeline.commands.entries()) {
    const extra = index === 0 ? [] : [value];
    value = runCommand(command, extra, scope);
  }
  const [name] = pipeline.assign;
  if (name !== undefined) scope.variables.set(name, value);
  return value;
}

function runCommand([head, ...rest]: Term[], extra: Value[], scope: Scope): Value {
  if (head === undefined) return undefined;
  const words = [...rest.map((term) => termValue(term, scope)), ...extra];
  if (head.kind === 'function') {
    const call = FUNCTIONS[head.name];
    if (call === undefined) throw new TemplateError(`template: :1: function "${head.name}" not defined`);
    return call(words);
  }
  const value = termValue(head, scope);
  return typeof value === 'function' ? value(...words) : value;
}

function termValue(term: Term, scope: Scope): Value {
  switch (term.kind) {
    case 'field':
      return follow(scope.dot, term.path, scope, term.text);
    case 'variable':
      return follow(scope.variables.get(term.name), term.path, scope, `${term.name}.${term.path.join('.')}`);
    case 'literal':
      return term.value;
    case 'function':
      return runCommand([term], [], scope);
    case 'group':
      return follow(evaluate(term.pipeline, scope), term.path, scope, `.${term.path.join('.')}`);
  }
}

function follow(start: Value, path: string[], scope: Scope, text: string): Value {
  let value = start;
  for (const part of path) {
    if (value === undefined || value === null) {
      throw new TemplateError(
        `template: :1:2: executing "" at <${text}>: nil pointer evaluating interface {}.${part}`,
      );
    }
    if (!isRecord(value) || !(part in value)) {
      const why =
        scope.type === 'map'
          ? `map has no entry for key "${part}"`
          : `can't evaluate field ${part} in type ${scope.type}`;
      throw new TemplateError(`template: :1:2: executing "" at <${text}>: ${why}`);
    }
    value = value[part];
  }
  return value;
}

function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isRecord(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}

function sortedKeys(value: Record<string, unknown>): string[] {
  return Object.keys(value).sort((a, b) => (a < b ? -1 : 1));
}

/** Go's `%v`. */
function show(value: Value): string {
  if (value === undefined) return '<no value>';
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(show).join(' ')}]`;
  if (isRecord(value)) {
    const pairs = sortedKeys(value);
    return `map[${pairs.map((key) => `${key}:${show(value[key])}`).join(' ')}]`;
  }
  return String(value);
}

function index([start, ...keys]: Value[]): Value {
  let value = start;
  for (const key of keys) {
    if (Array.isArray(value)) {
      const position = Number(key);
      if (position >= value.length)
        throw new TemplateError(
          `template: :1:2: executing "" at <index>: error calling index: reflect: slice index out of range`,
        );
      value = value[position];
    } else value = isRecord(value) ? (value[String(key)] ?? '') : undefined;
  }
  return value;
}

function formatted([format, ...values]: Value[]): string {
  const rest = [...values];
  return String(format).replace(/%[-+0-9.]*([vsdqtf%])/g, (_all, verb: string) => {
    if (verb === '%') return '%';
    const value = rest.shift();
    return verb === 'q' ? JSON.stringify(show(value)) : show(value);
  });
}

const FUNCTIONS: Record<string, (words: Value[]) => Value> = {
  json: ([value]) =>
    JSON.stringify(value, (_key, item: unknown) => (typeof item === 'function' ? undefined : item)),
  index,
  len: ([value]) =>
    Array.isArray(value) || typeof value === 'string'
      ? value.length
      : isRecord(value)
        ? Object.keys(value).length
        : 0,
  print: (words) => words.map(show).join(' '),
  println: (words) => `${words.map(show).join(' ')}\n`,
  printf: formatted,
  join: ([list, separator]) => (Array.isArray(list) ? list.map(show).join(String(separator)) : ''),
  split: ([text, separator]) => String(text).split(String(separator)),
  upper: ([text]) => String(text).toUpperCase(),
  lower: ([text]) => String(text).toLowerCase(),
  title: ([text]) => String(text).replace(/\b\w/g, (letter) => letter.toUpperCase()),
  truncate: ([text, length]) => String(text).slice(0, Number(length)),
  pad: ([text, before, after]) => `${' '.repeat(Number(before))}${show(text)}${' '.repeat(Number(after))}`,
  eq: ([value, ...others]) => others.some((other) => other === value),
  ne: ([value, other]) => value !== other,
  lt: ([value, other]) => Number(value) < Number(other),
  gt: ([value, other]) => Number(value) > Number(other),
  le: ([value, other]) => Number(value) <= Number(other),
  ge: ([value, other]) => Number(value) >= Number(other),
  not: ([value]) => !isTrue(value),
  and: (words) => words.find((word) => !isTrue(word)) ?? words.at(-1),
  or: (words) => words.find(isTrue) ?? words.at(-1),
};
