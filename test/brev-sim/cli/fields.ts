/**
 * Reads of single fields from JSON of unknown shape. Not zod: loading it would double the start of a program
 * that the tests start hundreds of times.
 */
export function fieldOf(json: unknown, key: string): unknown {
  return typeof json === 'object' && json !== null ? Reflect.get(json, key) : undefined;
}

/** The field's text; '' where it is missing or something else. */
export function textField(json: unknown, key: string): string {
  const value = fieldOf(json, key);
  return typeof value === 'string' ? value : '';
}
