/** One thing that download.sh said. */
export type FileFrame =
  | { readonly kind: 'size'; readonly size: number }
  | { readonly kind: 'bytes'; readonly offset: number; readonly chunks: readonly Uint8Array[] }
  | { readonly kind: 'sum'; readonly sha256: string }
  | { readonly kind: 'refused'; readonly reason: string }
  /** A frame was cut: what comes after it can't be trusted. */
  | { readonly kind: 'corrupt' };

const MAX_LINE = 4_096;

/** Takes download.sh's stream apart, however it is cut into chunks. Lines that aren't its own are the route's noise. */
export class FileFrameReader {
  #line = Buffer.alloc(0);
  /** The frame that is being read: its bytes so far, then the mark that must follow. */
  #open: { offset: number; left: number; chunks: Uint8Array[]; mark: Buffer } | undefined;
  #corrupt = false;

  push(chunk: Uint8Array): FileFrame[] {
    const frames: FileFrame[] = [];
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    while (rest.length > 0 && !this.#corrupt) {
      rest = this.#open === undefined ? this.#readLine(rest, frames) : this.#readFrame(rest, frames);
    }
    return frames;
  }

  #readLine(chunk: Buffer, frames: FileFrame[]): Buffer {
    const newline = chunk.indexOf(0x0a);
    const end = newline < 0 ? chunk.length : newline;
    if (this.#line.length <= MAX_LINE) {
      this.#line = Buffer.concat([this.#line, chunk.subarray(0, end)]);
    }
    if (newline >= 0) {
      this.#take(this.#line.toString('utf8'), frames);
      this.#line = Buffer.alloc(0);
    }
    return chunk.subarray(end + 1);
  }

  #take(line: string, frames: FileFrame[]): void {
    const [, kind, token = '', value = ''] = /^@brev-file (\w+) (\S+)(?: (.*))?$/.exec(line) ?? [];
    switch (kind) {
      case 'size':
        frames.push({ kind, size: Number(value) });
        break;
      case 'sum':
        frames.push({ kind, sha256: value });
        break;
      case 'refused':
        frames.push({ kind, reason: value });
        break;
      case 'bytes': {
        const [offset, left] = value.split(' ').map(Number);
        if (offset === undefined || left === undefined) {
          this.#fail(frames);
        } else {
          this.#open = { offset, left, chunks: [], mark: Buffer.from(`\n@brev-file end ${token}\n`) };
        }
        break;
      }
      default:
    }
  }

  #readFrame(chunk: Buffer, frames: FileFrame[]): Buffer {
    const open = this.#open;
    if (open === undefined) {
      return chunk;
    }
    if (open.left > 0) {
      const bytes = chunk.subarray(0, open.left);
      open.chunks.push(bytes);
      open.left -= bytes.length;
      return chunk.subarray(bytes.length);
    }
    const seen = chunk.subarray(0, open.mark.length);
    if (!open.mark.subarray(0, seen.length).equals(seen)) {
      this.#fail(frames);
      return chunk;
    }
    open.mark = open.mark.subarray(seen.length);
    if (open.mark.length === 0) {
      frames.push({ kind: 'bytes', offset: open.offset, chunks: open.chunks });
      this.#open = undefined;
    }
    return chunk.subarray(seen.length);
  }

  #fail(frames: FileFrame[]): void {
    this.#corrupt = true;
    this.#open = undefined;
    frames.push({ kind: 'corrupt' });
  }
}
