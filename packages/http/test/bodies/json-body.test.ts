import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ServiceError } from '@service/errors';
import type { ErrorRequestHandler } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createByteBudget } from '../../src/bodies/byte-budget.ts';
import { createJsonBodyReader } from '../../src/bodies/json-body.ts';
import { sendError } from '../../src/responses/errors.ts';
import { exchange } from '../support/raw.ts';
import { useTinyServer } from '../support/tiny-server.ts';

const valid = '{"name":"Physics","duration":"4 Years"}';
const json = { 'content-type': 'application/json' };

const sendServiceError: ErrorRequestHandler = (problem, _request, response, next) => {
  if (problem instanceof ServiceError) sendError(response, problem);
  else next(problem);
};
const server = useTinyServer((app) => {
  const readBody = createJsonBodyReader(102_400, createByteBudget(10_000_000));
  app.post('/orders', async (request, response) => {
    await readBody(request, response);
    response.status(201).json({ ordered: true });
  });
  const readLonger = createJsonBodyReader(102_400, createByteBudget(10_000_000), {
    limitBytes: 200_000,
    isFrom: ({ headers }) => headers['x-from'] === 'somebody',
    text: 'all of them',
  });
  app.post('/longer', async (request, response) => {
    await readLonger(request, response);
    response.status(201).json({ ordered: true });
  });
  app.use(sendServiceError);
});

const invalidBody = (status: 400 | 413 | 415, problem: string) => ({
  status,
  body: { message: 'The request has an invalid body.', errors: { body: [problem] } },
});

/** Posts raw bytes; a stream is sent in chunks. */
async function post(
  body: BodyInit | null,
  headers: Readonly<Record<string, string>> = json,
): Promise<{ status: number; body: unknown }> {
  const request = { method: 'POST', headers, body, duplex: 'half' };
  const response = await fetch(`${server.url}/orders`, request);
  return { status: response.status, body: await response.json() };
}

/** A valid body of exactly that many bytes. */
const padded = (bytes: number): string => valid.replace('{', `{"pad":"${'x'.repeat(bytes - valid.length - 9)}",`);

const inChunks = (text: string, bytes = 1_000): ReadableStream =>
  new ReadableStream({
    start(controller) {
      const content = Buffer.from(text);
      for (let at = 0; at < content.length; at += bytes) controller.enqueue(content.subarray(at, at + bytes));
      controller.close();
    },
  });

describe('a JSON body', () => {
  describe('201', () => {
    it('may have surrounding whitespace and a byte order mark, and may be chunked', async () => {
      for (const body of [
        valid,
        ` \r\n\t${valid}\n`,
        `\uFEFF${valid}`,
        inChunks(valid),
        inChunks(`\uFEFF${valid}`, 1),
      ]) {
        expect((await post(body)).status).toBe(201);
      }
    });

    it('may be compressed', async () => {
      for (const [encoding, content] of [
        ['gzip', gzipSync(valid)],
        ['GZIP', gzipSync(valid)],
        ['deflate', deflateSync(valid)],
        ['br', brotliCompressSync(valid)],
        ['identity', valid],
      ] as const) {
        expect([encoding, (await post(content, { ...json, 'content-encoding': encoding })).status]).toEqual([
          encoding,
          201,
        ]);
      }
    });

    it.each([
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/json ; charset=iso-8859-1; x=y',
    ])('may be sent as %s', async (type) => {
      expect((await post(valid, { 'content-type': type })).status).toBe(201);
    });

    it('may nest ignored fields 40,000 levels deep', async () => {
      for (const depth of [1_000, 40_000]) {
        const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
        expect((await post(valid.replace('{', `{"deep":${nested},`))).status).toBe(201);
      }
    });
  });

  describe('400', () => {
    const required = 'A JSON object is required.';
    const malformed = 'The body is not valid JSON.';
    const other = 'The body must be a JSON object.';

    it.each([
      ['', required],
      [' ', malformed],
      ['\uFEFF', malformed],
      [`\uFEFF\uFEFF${valid}`, malformed],
      ['{', malformed],
      [`${valid}${valid}`, malformed],
      [`${'['.repeat(50_000)}`, malformed],
      ['name=Physics&duration=4', malformed],
      ['null', other],
      ['1', other],
      ['[]', other],
      [`[${valid}]`, other],
      [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, other],
    ])('must not be %j', async (body, problem) => {
      expect(await post(body)).toEqual(invalidBody(400, problem));
    });

    it('is required, with or without a content type', async () => {
      expect(await post(null)).toEqual(invalidBody(400, required));
      expect(await post(null, {})).toEqual(invalidBody(400, required));
    });

    it('must be UTF-8, whatever the charset parameter', async () => {
      const latin = Buffer.from(valid.replace('Physics', 'Théologie'), 'latin1');
      const encoded = invalidBody(400, 'The body must be encoded as UTF-8.');
      for (const body of [latin, Buffer.from([0xff]), Buffer.from('{"name":"\u00ed\u00a0\u0080"}', 'latin1')]) {
        expect(await post(body)).toEqual(encoded);
        expect(await post(body, { 'content-type': 'application/json; charset=latin1' })).toEqual(encoded);
      }
      expect(await post(Buffer.from(valid, 'utf16le'))).toEqual(invalidBody(400, malformed));
    });

    it('must be complete and valid gzip when Content-Encoding says so', async () => {
      const gzip = { ...json, 'content-encoding': 'gzip' };
      for (const body of [valid, gzipSync(valid).subarray(0, 20)]) {
        expect(await post(body, gzip)).toEqual(invalidBody(400, 'The body could not be read.'));
      }
    });
  });

  describe('413', () => {
    const tooLarge = invalidBody(413, 'The body must be at most 102400 bytes long.');

    it('may have at most 102,400 bytes, with a length or chunked', async () => {
      expect(Buffer.byteLength(padded(102_400))).toBe(102_400);
      expect((await post(padded(102_400))).status).toBe(201);
      expect((await post(inChunks(padded(102_400)))).status).toBe(201);
      expect(await post(padded(102_401))).toEqual(tooLarge);
      expect(await post(inChunks(padded(102_401)))).toEqual(tooLarge);
      expect(await post('x'.repeat(3_000_000))).toEqual(tooLarge);
    });

    it('may be longer from some senders, with what such bodies contain', async () => {
      const sent = async (text: string, from: string) => {
        const headers = { ...json, 'x-from': from };
        return (await fetch(`${server.url}/longer`, { method: 'POST', headers, body: text })).status;
      };
      const long = padded(200_000).replace('xxxxxxxxxxx', 'all of them');
      expect(await sent(long, 'somebody')).toBe(201);
      expect(await sent(`${long} `, 'somebody')).toBe(413);
      expect(await sent(padded(102_400), 'somebody')).toBe(201);
      expect(await sent(padded(102_401), 'somebody')).toBe(413);
      expect(await sent(long, 'another')).toBe(413);
    });

    it('is rejected by its declared length, before it is sent', async () => {
      const head = [
        'POST /orders HTTP/1.1',
        ...['Host: localhost', 'Content-Type: application/json', 'Connection: close'],
        'Content-Length: 102401',
      ];
      const [response] = await exchange(server.url, [...head, '', ''].join('\r\n'));
      expect({ status: response?.status, body: JSON.parse(response?.body ?? '') }).toEqual(tooLarge);
    });

    it('is rejected as soon as too much of it has arrived in chunks, while the client goes on', async () => {
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      const head = ['POST /orders HTTP/1.1', 'Host: localhost'];
      socket.write([...head, 'Content-Type: application/json', 'Transfer-Encoding: chunked', '', ''].join('\r\n'));
      socket.write(`19001\r\n${padded(102_401)}\r\n`);
      const [response]: unknown[] = await once(socket, 'data');
      expect(String(response)).toMatch(/^HTTP\/1\.1 413 /);
    });

    it('is measured after decompression', async () => {
      const gzip = { ...json, 'content-encoding': 'gzip' };
      expect((await post(gzipSync(padded(102_400)), gzip)).status).toBe(201);
      expect(await post(gzipSync(padded(102_401)), gzip)).toEqual(tooLarge);
      expect(await post(gzipSync(Buffer.alloc(30_000_000)), gzip)).toEqual(tooLarge);
    });
  });

  describe('415', () => {
    it.each([
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/problem+json',
      'application/vnd.api+json',
      'application/jsonp',
      'application/json5',
      'application/json, text/plain',
      'json',
      '*/*',
      ';',
    ])('must not be sent as %s', async (type) => {
      const expected = invalidBody(415, 'The body must be sent as Content-Type: application/json.');
      for (const body of [valid, '{', 'x'.repeat(102_401)]) {
        expect(await post(body, { 'content-type': type })).toEqual(expected);
      }
    });

    it('must have a content type', async () => {
      expect(await post(inChunks(valid), {})).toEqual(
        invalidBody(415, 'The body must be sent as Content-Type: application/json.'),
      );
      expect(await post(Buffer.from(valid), {})).toEqual(
        invalidBody(415, 'The body must be sent as Content-Type: application/json.'),
      );
    });

    it('must not have an unsupported Content-Encoding', async () => {
      for (const encoding of ['compress', 'gzip, gzip', 'x']) {
        expect(await post(valid, { ...json, 'content-encoding': encoding })).toEqual(
          invalidBody(415, 'The Content-Encoding of the body is not supported.'),
        );
      }
    });
  });
});
