import type { Document } from 'yaml';

/** An image as a skill names it: written out, or by its key in versions.yaml, or both. */
export interface ImageLine {
  readonly image: string | undefined;
  readonly key: string | undefined;
}

/**
 * The image of a `container_image` line. Skills write it out and note its key in a comment, `# versions-key:
 * images.tao_toolkit.pyt`; older ones have the key alone (tao.md part 2).
 */
export function imageLine(document: Document, path: readonly string[]): ImageLine {
  const node: unknown = document.getIn([...path, 'container_image'], true);
  if (typeof node !== 'object' || node === null || !('value' in node) || typeof node.value !== 'string') {
    return { image: undefined, key: undefined };
  }
  const comment = 'comment' in node && typeof node.comment === 'string' ? node.comment : '';
  const noted = /versions-key:\s*([\w.]{1,100})/.exec(comment.slice(0, 300))?.[1];
  const isKey = !node.value.includes('/');
  return {
    image: isKey ? undefined : node.value,
    key: withoutPrefix(noted ?? (isKey ? node.value : undefined)),
  };
}

function withoutPrefix(key: string | undefined): string | undefined {
  return key?.replace(/^images\./, '');
}

/** The leaves of versions.yaml's `images`, by dotted keys. */
export function versionImages(value: unknown): ReadonlyMap<string, string> {
  const images = new Map<string, string>();
  const visit = (node: unknown, path: readonly string[]): void => {
    if (typeof node === 'string') {
      images.set(path.join('.'), node);
    } else if (typeof node === 'object' && node !== null && path.length < 5) {
      for (const [key, child] of Object.entries(node)) {
        visit(child, [...path, key]);
      }
    }
  };
  visit(typeof value === 'object' && value !== null && 'images' in value ? value.images : undefined, []);
  return images;
}
