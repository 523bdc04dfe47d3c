import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { matchesIfNoneMatch } from './representation.ts';

/** The variants of a file, in order of preference, and how their names end. */
const suffixes = { br: '.br', gzip: '.gz', identity: '' } as const;
const encodings = Object.keys(suffixes);

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Files below it have a hash of their content in their names. */
export const assetsFolder = 'assets/';

interface Variant {
  readonly bytes: Buffer;
  /** Strong, so each variant has its own (RFC 9110, 8.8.3). */
  readonly entityTag: string;
}

/** Files that a build has made, each with its compressed variants beside it. */
export interface StaticFiles {
  /** The files with their paths in the folder, separated by `/`. */
  readonly names: ReadonlySet<string>;
  /** Sends a file in the smallest variant that the client accepts, or 304 when `If-None-Match` matches. */
  send(request: Request, response: Response, name: string): Promise<void>;
  /** Sends a file with the status 404, which no cache stores. */
  sendAsNotFound(request: Request, response: Response, name: string): Promise<void>;
}

/** A file as it is sent, where that depends on settings; `undefined` for one that is sent as it is. */
export type ChangeFile = (name: string) => ((content: string) => string) | undefined;

/** The files of a folder. Each variant is read, or made, on its first request and stays in memory. */
export function openStaticFiles(folder: URL, changeFile: ChangeFile = () => undefined): StaticFiles {
  const variants = new Map<string, Variant>();

  const variantFor = async (request: Request, name: string) => {
    const accepted = request.acceptsEncodings(...encodings);
    const encoding = accepted === 'br' || accepted === 'gzip' ? accepted : 'identity';
    const file = name + suffixes[encoding];
    const change = changeFile(name);
    const read = async () =>
      change === undefined
        ? readFile(new URL(file, folder))
        : compress[encoding](change(await readFile(new URL(name, folder), 'utf8')));
    const variant = variants.get(file) ?? variantOf(await read());
    variants.set(file, variant);
    return { ...variant, encoding, mediaType: mediaTypes[extname(name)] ?? '' };
  };

  return {
    names: namesIn(folder),
    send: async (request, response, name) => {
      const variant = await variantFor(request, name);
      const isImmutable = name.startsWith(assetsFolder);
      response.setHeader('Cache-Control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
      response.setHeader('ETag', variant.entityTag);
      if (!matchesIfNoneMatch(request.headers['if-none-match'], variant)) return write(response, variant);
      response.vary('Accept-Encoding');
      response.status(304).end();
    },
    sendAsNotFound: async (request, response, name) => {
      response.status(404).setHeader('Cache-Control', 'no-store');
      write(response, await variantFor(request, name));
    },
  };
}

interface NegotiatedVariant extends Variant {
  readonly encoding: string;
  readonly mediaType: string;
}

function write(response: Response, { bytes, encoding, mediaType }: NegotiatedVariant): void {
  response.vary('Accept-Encoding');
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', bytes.length);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.end(bytes);
}

const compress = {
  br: promisify<string, Buffer>(brotliCompress),
  gzip: promisify<string, Buffer>(gzip),
  identity: async (content: string) => Buffer.from(content),
} as const;

function variantOf(bytes: Buffer): Variant {
  return { bytes, entityTag: `"${hash('sha256', bytes, 'base64url').slice(0, 16)}"` };
}

function namesIn(folder: URL): ReadonlySet<string> {
  const names = readdirSync(folder, { encoding: 'utf8', recursive: true });
  return new Set(names.filter((name) => extname(name) in mediaTypes).map((name) => name.replaceAll(sep, '/')));
}
