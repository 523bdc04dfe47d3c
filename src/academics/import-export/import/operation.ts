import { z } from 'zod';
import { defineFileWrite, type FileWriting } from '../../../operations/operation.ts';
import type { FileImport, FileImportResult } from './importer.ts';

/** A file and its parameters, which the door has validated before the file arrives. */
export type FileToImport = Omit<FileImport, keyof FileWriting | 'defined' | 'user'>;

export const importCatalog = defineFileWrite({
  name: 'importCatalog',
  access: 'programs:write',
  transaction: 'file',
  input: z.custom<FileToImport>(),
  affects: ({ outcome }: FileImportResult) => (outcome === 'imported' ? 'everything' : 'nothing'),
  run: async (file, { request, ...writing }) => {
    const { db, definitions, importFile } = request.app;
    return importFile({ ...file, ...writing, user: request.account, defined: await definitions.read({ request, db }) });
  },
});
