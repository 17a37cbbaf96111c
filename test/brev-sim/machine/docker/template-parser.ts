import { DockerFailure } from './failure.ts';

/** A term of a pipeline. */
export type Term =
  | { kind: 'field'; path: string[]; text: string }
  | { kind: 'variable'; name: string; path: string[] }
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'function'; name: string }
  | { kind: 'group'; pipeline: Pipeline; path: string[] };

/** Commands joined by `|`; `assign` names the variables of `$x := …`. */
export interface Pipeline {
  assign: string[];
  commands: Term[][];
}

export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'print'; pipeline: Pipeline }
  | { kind: 'if' | 'with' | 'range'; pipeline: Pipeline; body: Node[]; otherwise: Node[] };

type Piece = { text: string } | { action: string };

export class TemplateError extends DockerFailure {}

const TOKEN =
  /\s*(?:("(?:\\.|[^"\\])*")|`([^`]*)`|(:=)|([|(),])|(-?\d+(?:\.\d+)?)|(\$\w*(?:\.\w+)*)|(\.[\w.]*)|(\w+))/y;

/** Parses a Go template, as far as people use them with docker. */
export function parseTemplate(source: string): Node[] {
  const pieces = cut(source);
  const nodes: Node[] = [];
  const end = parseNodes(pieces, nodes);
  if (end !== '') throw new TemplateError(`template: :1: unexpected {{${end}}}`);
  return nodes;
}

function cut(source: string): Piece[] {
  const pieces: Piece[] = [];
  let rest = source;
  let trimNext = false;
  for (;;) {
    const open = rest.indexOf('{{');
    let text = open < 0 ? rest : rest.slice(0, open);
    if (trimNext) text = text.trimStart();
    if (open < 0) {
      pieces.push({ text });
      return pieces;
    }
    const close = rest.indexOf('}}', open);
    if (close < 0) throw new TemplateError('template: :1: unclosed action');
    let action = rest.slice(open + 2, close);
    if (/^-\s/.test(action)) {
      text = text.trimEnd();
      action = action.slice(1);
    }
    trimNext = /\s-$/.test(action);
    if (trimNext) action = action.slice(0, -1);
    pieces.push({ text });
    if (!/^\s*\/\*.*\*\/\s*$/s.test(action)) pieces.push({ action: action.trim() });
    rest = rest.slice(close + 2);
  }
}

/** Takes nodes until an `end` or `else` that belongs to the caller; returns that word, or '' at the end. */
function parseNodes(pieces: Piece[], nodes: Node[]): string {
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    if ('text' in piece) {
      if (piece.text !== '') nodes.push({ kind: 'text', text: piece.text });
      continue;
    }
    const [, word = '', tail = ''] = /^(\w*)\s*(.*)$/s.exec(piece.action) ?? [];
    if (word === 'end' || word === 'else') return piece.action;
    if (word === 'if' || word === 'with' || word === 'range') nodes.push(parseBlock(word, tail, pieces));
    else nodes.push({ kind: 'print', pipeline: parsePipeline(tokens(piece.action)) });
  }
  return '';
}

function parseBlock(kind: 'if' | 'with' | 'range', head: string, pieces: Piece[]): Node {
  const pipeline = parsePipeline(tokens(head));
  const body: Node[] = [];
  const otherwise: Node[] = [];
  const end = parseNodes(pieces, body);
  if (end === '') throw new TemplateError('template: :1: unexpected EOF');
  const chained = /^else\s+(if|with)\s+(.*)$/s.exec(end);
  if (chained !== null)
    otherwise.push(parseBlock(chained[1] === 'with' ? 'with' : 'if', chained[2] ?? '', pieces));
  else if (end === 'else' && parseNodes(pieces, otherwise) === '') {
    throw new TemplateError('template: :1: unexpected EOF');
  }
  return { kind, pipeline, body, otherwise };
}

type Token = { kind: 'term'; term: Term } | { kind: 'mark'; mark: string };

function tokens(action: string): Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < action.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(action);
    if (match === null)
      throw new TemplateError(
        `template: :1: unexpected ${JSON.stringify(action.slice(at).trim())} in operand`,
      );
    const [, quoted, raw, assign, mark, number, variable, field, word] = match;
    if (quoted !== undefined) found.push(literal(unquote(quoted)));
    else if (raw !== undefined) found.push(literal(raw));
    else if (assign !== undefined || mark !== undefined)
      found.push({ kind: 'mark', mark: assign ?? mark ?? '' });
    else if (number !== undefined) found.push(literal(Number(number)));
    else if (variable !== undefined) {
      const [name = '$', ...path] = variable.split('.');
      found.push({ kind: 'term', term: { kind: 'variable', name, path } });
    } else if (field !== undefined) {
      const path = field.split('.').filter((part) => part !== '');
      found.push({ kind: 'term', term: { kind: 'field', path, text: field } });
    } else found.push(wordToken(word ?? ''));
  }
  return found;
}

function literal(value: string | number | boolean | null): Token {
  return { kind: 'term', term: { kind: 'literal', value } };
}

function unquote(text: string): string {
  const value: unknown = JSON.parse(text);
  return String(value);
}

function wordToken(word: string): Token {
  if (word === 'true' || word === 'false') return literal(word === 'true');
  if (word === 'nil') return literal(null);
  return { kind: 'term', term: { kind: 'function', name: word } };
}

function parsePipeline(list: Token[]): Pipeline {
  const assign: string[] = [];
  const assignAt = list.findIndex((token) => token.kind === 'mark' && token.mark === ':=');
  if (assignAt >= 0) {
    for (const token of list.splice(0, assignAt + 1)) {
      if (token.kind === 'term' && token.term.kind === 'variable') assign.push(token.term.name);
    }
  }
  const commands: Term[][] = [[]];
  for (let token = list.shift(); token !== undefined; token = list.shift()) {
    if (token.kind === 'term') commands.at(-1)?.push(token.term);
    else if (token.mark === '|') commands.push([]);
    else if (token.mark === '(') commands.at(-1)?.push(parseGroup(list));
  }
  if (commands.some((command) => command.length === 0)) {
    throw new TemplateError('template: :1: missing value for command');
  }
  return { assign, commands };
}

function parseGroup(list: Token[]): Term {
  const inside: Token[] = [];
  for (let depth = 1; ; ) {
    const token = list.shift();
    if (token === undefined) throw new TemplateError('template: :1: unclosed left paren');
    if (token.kind === 'mark' && token.mark === '(') depth += 1;
    if (token.kind === 'mark' && token.mark === ')') depth -= 1;
    if (depth === 0) break;
    inside.push(token);
  }
  const [next] = list;
  // `(index .A 0).B`: the field belongs to the group.
  let path: string[] = [];
  if (next?.kind === 'term' && next.term.kind === 'field' && next.term.path.length > 0) {
    path = next.term.path;
    list.shift();
  }
  return { kind: 'group', pipeline: parsePipeline(inside), path };
}
