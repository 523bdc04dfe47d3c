import { z } from 'zod';
import { defineRead } from '../../../operations/operation.ts';
import type { ExportOptions, ExportRequest, SendChunks } from './exporter.ts';

/** Its result sends the file, at the pace of its client. */
export const exportCatalog = defineRead({
  name: 'exportCatalog',
  access: 'programs:read',
  scope: 'uncacheable',
  input: z.custom<ExportRequest>(),
  run:
    (exported, { request }) =>
    (options: ExportOptions, send: SendChunks): Promise<void> => {
      request.expectMinutes();
      return request.app.exportCatalog(exported, options, send);
    },
});
