import { excerpt } from '@service/errors';
import { createPlaces } from '@service/http/places';
import { sendJson } from '@service/http/send';
import { idleTimeoutMs } from '@service/http/server';
import { inChunks } from '@service/tabular/chunks';
import { FileError } from '@service/tabular/errors';
import { readHead } from '@service/tabular/read-head';
import type { TextRow } from '@service/tabular/rows';
import { type Encoding, isGuess } from '@service/tabular/text';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { defineFileWrite } from '../../../operations/operation.ts';
import { perform } from '../../../operations/perform.ts';
import { Reading } from '../../../operations/request.ts';
import { validationFailed } from '../../../validation/validate.ts';
import { columnNamed, fileColumns } from '../columns.ts';
import { createEncodingSample } from '../encoding-sample.ts';
import { type FileRequest, readFileRequest } from './import-parameters.ts';
import type { UploadOptions } from './upload.ts';

/** The number of rows whose values are shown. */
const rowsMax = 100;
const valuesMax = 3;
const firstRowsMax = 20;

const firstRowOf = ({ line, texts }: TextRow) => ({
  line,
  text: excerpt(texts.filter((text) => text.trim() !== '').join(' · ')),
});

/** Limit, since each look may hold the texts of a workbook in memory. */
const looksMax = 2;

interface FileToDescribe extends FileRequest {
  readonly bytes: AsyncIterable<Buffer>;
}

/** Reads the beginning of a file for callers who may import it; changes nothing. */
const describeFile = defineFileWrite({
  name: 'describeFile',
  access: 'programs:write',
  transaction: 'file',
  input: z.custom<FileToDescribe>(),
  affects: () => 'nothing',
  run: (file, { signal }) => readColumns(file, signal),
});

/** The handler that reads the beginning of a file, as long as its client waits, and changes nothing. */
export function createFileColumns(path: string, { stateOf, admission, readFile }: UploadOptions): RequestHandler {
  const places = createPlaces({ placesMax: looksMax, one: 'a look at a file', many: 'looks at files' });
  return async (request, response) => {
    request.pattern = path;
    let leave = (): void => undefined;
    const given = async (): Promise<FileToDescribe> => {
      const fileRequest = await readFileRequest(request);
      const { bytes } = await readFile(request, response);
      leave = places.take(stateOf(request).account);
      admission.release(response);
      return { ...fileRequest, bytes };
    };
    try {
      sendJson(response, 200, await perform(describeFile, given, new Reading(stateOf(request))));
    } finally {
      leave();
      request.setTimeout(idleTimeoutMs);
    }
  };
}

/** The columns of a file, with what a person needs to map them (`docs/contract.md` 11). */
async function readColumns({ bytes, ...request }: FileToDescribe, signal: AbortSignal) {
  let encoding: Encoding | null = null;
  let sheet: string | null = null;
  let sheets: readonly string[] = [];
  const { names, headerRow, above, rows } = await readHead(inChunks(bytes, signal), {
    ...request,
    signal,
    columns: fileColumns,
    rowsMax,
    onEncoding: (name) => {
      encoding = name;
    },
    onSheet: (name, all) => {
      sheet = name;
      sheets = all;
    },
  }).catch((problem: unknown) => {
    throw problem instanceof FileError ? validationFailed({ file: [problem.problem] }) : problem;
  });
  const sample = createEncodingSample();
  const first = [...above, { line: headerRow ?? 1, texts: names }, ...rows];
  for (const row of first) sample.add(row);
  const columns = names.flatMap((name, index) => {
    if (name.trim() === '') return [];
    const values = new Set(rows.map(({ texts }) => texts[index]?.trim() ?? '').filter((text) => text !== ''));
    const shown = [...values].slice(0, valuesMax).map((text) => excerpt(text));
    return [{ name: name.trim(), column: columnNamed(name) ?? null, values: shown }];
  });
  const firstRows = headerRow === null ? [] : first.slice(0, firstRowsMax).map(firstRowOf);
  const encodingGuessed = request.encoding === undefined && isGuess(encoding);
  const encodingSample = sample.of(encoding);
  return { columns, headerRow, firstRows, encoding, encodingGuessed, encodingSample, sheet, sheets };
}
