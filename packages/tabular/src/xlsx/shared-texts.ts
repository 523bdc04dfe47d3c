import { damaged } from './archive.ts';

const bytesPerBlock = 1_048_576;

/**
 * Texts by number, as bytes: a text that is cut out of a document would keep all of the part that it was read with, and
 * take twice its length for a single character beyond Latin-1.
 */
export class SharedTexts {
  /** The start of each text and the end of the last, in bytes. */
  #starts = new Float64Array(1_024);
  readonly #blocks: Buffer[] = [];
  #count = 0;
  #end = 0;
  /** Bytes of the longest. */
  longest = 0;

  /** Bytes in memory. */
  get bytes(): number {
    return this.#blocks.length * bytesPerBlock + this.#starts.byteLength;
  }

  add(text: string): void {
    const bytes = Buffer.from(text);
    this.longest = Math.max(this.longest, bytes.length);
    for (let at = 0; at < bytes.length; ) {
      const place = this.#end % bytesPerBlock;
      if (place === 0) this.#blocks.push(Buffer.allocUnsafeSlow(bytesPerBlock));
      const copied = bytes.copy(this.#blocks.at(-1) ?? bytes, place, at);
      at += copied;
      this.#end += copied;
    }
    this.#count += 1;
    if (this.#count === this.#starts.length) {
      const more = new Float64Array(2 * this.#starts.length);
      more.set(this.#starts);
      this.#starts = more;
    }
    this.#starts[this.#count] = this.#end;
  }

  /** @throws FileError for a number that no text has. */
  get(number: number): string {
    if (!(Number.isInteger(number) && number >= 0 && number < this.#count)) throw damaged(`no shared text ${number}`);
    let start = this.#starts[number] ?? 0;
    const end = this.#starts[number + 1] ?? 0;
    const parts: Buffer[] = [];
    while (start < end) {
      const place = start % bytesPerBlock;
      const length = Math.min(end - start, bytesPerBlock - place);
      parts.push(this.#blocks[Math.floor(start / bytesPerBlock)]?.subarray(place, place + length) ?? Buffer.alloc(0));
      start += length;
    }
    return parts.length === 1 ? (parts[0]?.toString() ?? '') : Buffer.concat(parts).toString();
  }
}
