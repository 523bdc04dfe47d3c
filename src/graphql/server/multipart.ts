import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import { z } from 'zod';
import { ServiceError, shortened } from '../../errors.ts';
import { BodyError, tooSlow } from '../../http/body-bytes.ts';
import type { ByteBudget } from '../../http/byte-budget.ts';
import type { JsonBodyReader } from '../../http/json-body.ts';
import { UploadedFile } from '../uploaded-file.ts';

interface MultipartOptions {
  /** Maximum size of each of the fields `operations` and `map`. */
  readonly bodyLimitBytes: number;
  readonly fileLimitBytes: number;
  readonly slowClients: ByteBudget;
}

/** Headers of a part, and of all parts together with their boundaries. */
const headersMaxBytes = 16_384;
/** The audit log has the name of the file. */
const fileNameMax = 255;

const operationsSchema = z.looseObject({ variables: z.looseObject({}).nullish() });
const mapSchema = z
  .record(z.string(), z.tuple([z.string().regex(/^variables\.[_A-Za-z]\w*$/)]))
  .refine((map) => Object.keys(map).length === 1);

/** By the headers alone. */
export function isMultipart({ headers }: IncomingMessage): boolean {
  return /^\s*multipart\/form-data\b/i.test(headers['content-type'] ?? '');
}

/**
 * Creates the reader of requests with a file, by the GraphQL multipart request specification: `operations`, `map`, a
 * file. It resolves when the file begins, with an `UploadedFile` as its variable.
 * @throws ServiceError `VALIDATION_FAILED` for any other form, or headers that are too large.
 */
export function createMultipartReader({
  bodyLimitBytes,
  fileLimitBytes,
  slowClients,
}: MultipartOptions): JsonBodyReader {
  return (request, response) =>
    new Promise((resolve, reject) => {
      const sizeMax = fileLimitBytes + 2 * bodyLimitBytes + headersMaxBytes;
      if (Number(request.headers['content-length']) > sizeMax) throw tooLarge(fileLimitBytes);
      const parser = openParser(request, bodyLimitBytes, fileLimitBytes);
      const fields = new Map<string, string>();
      let file: Readable | undefined;
      // The parser waits for a file that nobody reads any more.
      const skipRest = (): void => {
        request.unpipe(parser);
        request.resume();
      };
      const fail = (problem: unknown): void => {
        held.release();
        file?.destroy(problem instanceof Error ? problem : undefined);
        skipRest();
        reject(problem);
      };
      const held = slowClients.hold(() => fail(tooSlow()));
      let bytes = 0;
      request.on('data', ({ length }: Buffer) => {
        bytes += length;
        held.set(bytes);
      });
      // A whole file waits for its import, not for its client.
      request.once('end', held.settle);
      response.once('close', held.release);
      const whole = whenWhole(request, parser);
      whole.then(() => fail(invalid('A file is required, after "operations" and "map".')), fail);
      parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
        if (valueTruncated) fail(new BodyError(413, `Each field must be at most ${bodyLimitBytes} bytes long.`));
        fields.set(name, value);
      });
      parser.on('file', (field, stream, name, _encoding, mediaType) => {
        file = stream;
        // Nobody may be reading it.
        stream.on('error', () => undefined);
        stream.once('limit', () => stream.destroy(tooLarge(fileLimitBytes)));
        const upload = { name: shortened(name || field, fileNameMax), mediaType, bytes: bytesOf(stream, whole) };
        try {
          resolve(bodyWith(fields, field, new UploadedFile(upload)));
        } catch (problem) {
          fail(problem);
        }
      });
      response.once('finish', skipRest);
      request.pipe(parser);
    });
}

function openParser(request: Request, bodyLimitBytes: number, fileLimitBytes: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      // A request must arrive within a time limit, however long the file takes to be imported, so it is buffered.
      fileHwm: fileLimitBytes,
      limits: {
        fieldSize: bodyLimitBytes,
        fields: 2,
        fileSize: fileLimitBytes,
        files: 1,
        headerSize: headersMaxBytes,
      },
    });
  } catch (cause) {
    throw invalid('The Content-Type must be multipart/form-data with a boundary.', cause);
  }
}

/** Resolves at the end of the body; rejects when it is not a whole one, with no more than the permitted parts. */
function whenWhole(request: Request, parser: BusboyInstance): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once('finish', resolve);
    parser.on('error', (cause) => reject(invalid('The body is not valid multipart/form-data.', cause)));
    const tooMany = (): void => reject(invalid('Only "operations", "map" and one file are allowed.'));
    parser.once('fieldsLimit', tooMany);
    parser.once('filesLimit', tooMany);
    request.once('close', () => {
      if (!request.complete) reject(new ServiceError('UNAVAILABLE', 'The client disconnected.'));
    });
  });
}

/** They end only with the whole request: a truncated file must not pass for a complete one. */
async function* bytesOf(stream: Readable, whole: Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (problem) {
    throw problem instanceof ServiceError ? problem : invalid('The body is not valid multipart/form-data.', problem);
  }
  await whole;
}

/** As it would be in JSON, with the file in place of its variable. */
function bodyWith(fields: ReadonlyMap<string, string>, field: string, file: UploadedFile): Record<string, unknown> {
  const operations = operationsSchema.safeParse(parseField(fields, 'operations'));
  if (!operations.success) throw invalid('The field "operations" must be the JSON object of one GraphQL request.');
  const map = mapSchema.safeParse(parseField(fields, 'map'));
  const [path] = (map.success && Object.hasOwn(map.data, field) && map.data[field]) || [];
  if (path === undefined) {
    throw invalid('The field "map" must name the file and one variable, such as {"0": ["variables.file"]}.');
  }
  const variable = path.slice(path.indexOf('.') + 1);
  return { ...operations.data, variables: { ...operations.data.variables, [variable]: file } };
}

function parseField(fields: ReadonlyMap<string, string>, name: string): unknown {
  const text = fields.get(name);
  if (text === undefined) throw invalid(`The field "${name}" is required before the file.`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(`The field "${name}" is not valid JSON.`, cause);
  }
}

const invalid = (problem: string, cause?: unknown): BodyError => new BodyError(400, problem, cause);

function tooLarge(fileLimitBytes: number): ServiceError {
  return new ServiceError('VALIDATION_FAILED', 'The request has invalid input.', {
    errors: { file: [`file must be at most ${fileLimitBytes} bytes long.`] },
    status: 413,
  });
}
