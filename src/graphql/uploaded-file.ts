/** The mutation that takes a file, and the only operation that a multipart request may have. */
export const uploadField = 'importCatalog';

/** A file in the variables of a multipart request. */
export class UploadedFile {
  /** Without its path. */
  readonly name: string;
  readonly mediaType: string;
  readonly #bytes: AsyncIterable<Buffer>;

  constructor({ name, mediaType, bytes }: Pick<UploadedFile, 'name' | 'mediaType' | 'bytes'>) {
    this.name = name;
    this.mediaType = mediaType;
    this.#bytes = bytes;
  }

  /** Readable once, while it arrives; ends when the whole request has. Throws `ServiceError` when it is not valid. */
  get bytes(): AsyncIterable<Buffer> {
    return this.#bytes;
  }
}
