import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { AdmissionControl } from '@service/http/admission';
import { matchesIfNoneMatch } from '@service/http/representation';
import { whenClosed } from '@service/http/send';
import { FileError } from '@service/tabular/errors';
import type { Request, RequestHandler } from 'express';
import { accessChanged, watchPermission } from '../../../operations/access.ts';
import { accountOf } from '../../../operations/caller.ts';
import type { Read } from '../../../operations/operation.ts';
import { perform } from '../../../operations/perform.ts';
import { Reading, type RequestState } from '../../../operations/request.ts';
import { validationFailed } from '../../../validation/validate.ts';
import type { ExportOptions, SendChunks } from '../export/exporter.ts';

export interface DownloadOptions {
  readonly stateOf: (request: Request) => RequestState;
  readonly admission: Pick<AdmissionControl, 'release'>;
}

/** A file to send: its headers, and what reads it. */
export interface Download {
  /** What it is, in the log. */
  readonly what: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Strong entity tag of a file that never changes. */
  readonly entityTag?: string;
  /** Reads it, and hands its chunks to `send` with the number of records so far. */
  readonly read: (options: ExportOptions, send: SendChunks) => Promise<void>;
}

interface DownloadLog {
  outcome: 'sent' | 'client left' | 'access changed' | 'not read' | 'failed';
  records: number;
  bytes: number;
}

/** The handler of a download, which ends early when its client leaves, loses the permission, or does not read it. */
export function createDownload<Input, Result>(
  path: string,
  operation: Read<Input, Result>,
  { given, file }: { readonly given: (request: Request) => unknown; readonly file: (result: Result) => Download },
  { stateOf, admission }: DownloadOptions,
): RequestHandler {
  return async (request, response) => {
    request.pattern = path;
    const state = stateOf(request);
    const { what, headers, entityTag, read } = file(await perform(operation, () => given(request), new Reading(state)));
    const { caller, log } = state;
    if (entityTag !== undefined) response.setHeader('ETag', entityTag);
    if (entityTag !== undefined && matchesIfNoneMatch(request.get('if-none-match'), { entityTag })) {
      response.writeHead(304).end();
      return;
    }
    const began = performance.now();
    const ending = new AbortController();
    const logged: DownloadLog = { outcome: 'failed', records: 0, bytes: 0 };
    const end = (outcome: DownloadLog['outcome']): void => {
      if (ending.signal.aborted || logged.outcome === 'sent') return;
      logged.outcome = outcome;
      ending.abort();
    };
    const unwatch = watchPermission(state.app.callers, caller, operation, () => end('access changed'));
    whenClosed(response, () => end('client left'));
    try {
      const options = { caller: accountOf(caller), signal: ending.signal };
      await read(options, async (chunks, progress, signal) => {
        // The first is there before anything is sent, so that a failure up to then has a status: of a HEAD as of a GET.
        let { value, done } = await chunks.next();
        admission.release(response);
        response.writeHead(200, headers);
        if (request.method === 'HEAD') {
          await chunks.return?.();
          return;
        }
        const write = createPacedWriter(response);
        for (; done !== true; { value, done } = await chunks.next()) {
          await write(value, signal);
          logged.bytes += value.length;
          logged.records = progress.records;
        }
      });
      logged.outcome = 'sent';
    } catch (problem) {
      if (problem instanceof TooSlow) logged.outcome = 'not read';
      else if (!ending.signal.aborted)
        throw problem instanceof FileError ? validationFailed({ file: [problem.problem] }) : problem;
      else if (logged.outcome === 'access changed' && !response.headersSent) throw accessChanged();
      // Ends without the last chunk, which clients report as an error.
      response.destroy();
      return;
    } finally {
      unwatch();
      const { name: user, keyId } = caller;
      const durationMs = Math.round(performance.now() - began);
      log.info({ user, keyId, ...what, ...logged, durationMs }, 'export');
    }
    // Last: the next export of this caller may follow at once.
    response.end();
  };
}

/** `Content-Disposition` of a file with this name, of which other letters are in the form for them (RFC 6266). */
export function attachment(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._ -]/g, '_');
  const encoded = encodeURIComponent(name.replace(/[/\\]/g, '_')).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return plain === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** How far a reader may fall behind the minimum pace. */
const behindMaxMs = 10_000;
/** A slow mobile connection is faster. */
const bytesPerSecondMin = 50_000;

export interface MinimumPace {
  readonly behindMaxMs: number;
  readonly bytesPerSecondMin: number;
}

/** Thrown when the reader is slower than the minimum pace, or does not read at all. */
export class TooSlow extends Error {
  constructor() {
    super('The reader is too slow.');
  }
}

/**
 * Creates a function that writes to a stream and waits until it has been read, but no longer than the minimum pace
 * allows: time that the reader was faster counts up to `behindMaxMs`, time of the writer does not count.
 * @throws TooSlow, or the reason of the signal.
 */
export function createPacedWriter(
  stream: Writable,
  pace: MinimumPace = { behindMaxMs, bytesPerSecondMin },
): (content: Buffer, signal: AbortSignal) => Promise<void> {
  let leftMs = pace.behindMaxMs;
  return async (content, signal) => {
    signal.throwIfAborted();
    leftMs = Math.min(pace.behindMaxMs, leftMs + (content.length / pace.bytesPerSecondMin) * 1_000);
    if (stream.write(content)) return;
    const began = performance.now();
    const waiting = new AbortController();
    const stop = (): void => waiting.abort();
    const timer = setTimeout(stop, leftMs);
    signal.addEventListener('abort', stop);
    try {
      await once(stream, 'drain', { signal: waiting.signal });
    } catch (problem) {
      signal.throwIfAborted();
      throw waiting.signal.aborted ? new TooSlow() : problem;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
    leftMs -= performance.now() - began;
  };
}
