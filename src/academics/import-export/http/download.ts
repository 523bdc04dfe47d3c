import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { AdmissionControl } from '@service/http/admission';
import { whenClosed } from '@service/http/send';
import type { Request, RequestHandler } from 'express';
import { accessChanged, watchPermission } from '../../../operations/access.ts';
import { accountOf } from '../../../operations/caller.ts';
import { perform } from '../../../operations/perform.ts';
import { Reading, type RequestState } from '../../../operations/request.ts';
import { exportCatalog } from '../../operations/export.ts';
import { type FormatName, formats } from '../export/formats.ts';
import { readExportRequest } from './export-parameters.ts';

export interface DownloadOptions {
  readonly stateOf: (request: Request) => RequestState;
  readonly admission: Pick<AdmissionControl, 'release'>;
}

const headersOf = (format: FormatName) => ({
  'Content-Type': formats[format].mediaType,
  'Content-Disposition': `attachment; filename="catalog.${format}"`,
});

interface ExportLog {
  outcome: 'sent' | 'client left' | 'access changed' | 'not read' | 'failed';
  records: number;
  bytes: number;
}

/** The handler of an export, which ends early when its client leaves, loses the permission, or does not read it. */
export function createDownload(
  path: string,
  format: FormatName,
  { stateOf, admission }: DownloadOptions,
): RequestHandler {
  return async (request, response) => {
    request.pattern = path;
    const state = stateOf(request);
    const given = () => readExportRequest(request.originalUrl, format);
    const send = await perform(exportCatalog, given, new Reading(state));
    const { caller, log } = state;
    if (request.method === 'HEAD') {
      response.writeHead(200, headersOf(format)).end();
      return;
    }
    const began = performance.now();
    const ending = new AbortController();
    const logged: ExportLog = { outcome: 'failed', records: 0, bytes: 0 };
    const end = (outcome: ExportLog['outcome']): void => {
      if (ending.signal.aborted || logged.outcome === 'sent') return;
      logged.outcome = outcome;
      ending.abort();
    };
    const unwatch = watchPermission(state.app.callers, caller, exportCatalog, () => end('access changed'));
    whenClosed(response, () => end('client left'));
    try {
      const options = { caller: accountOf(caller), signal: ending.signal };
      await send(options, async (chunks, progress, signal) => {
        // The first is there before anything is sent, so that a failure up to then has a status.
        let { value, done } = await chunks.next();
        admission.release(response);
        response.writeHead(200, headersOf(format));
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
      else if (!ending.signal.aborted) throw problem;
      else if (logged.outcome === 'access changed' && !response.headersSent) throw accessChanged();
      // Ends without the last chunk, which clients report as an error.
      response.destroy();
      return;
    } finally {
      unwatch();
      const { name: user, keyId } = caller;
      const durationMs = Math.round(performance.now() - began);
      log.info({ user, keyId, format, ...logged, durationMs }, 'export');
    }
    // Last: the next export of this caller may follow at once.
    response.end();
  };
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
