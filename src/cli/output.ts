import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { escapeControls } from '@service/telemetry/untrusted-text';

/** A stream of the process, or a test's. */
export type OutputStream = Writable & { readonly isTTY?: boolean };

/** The output of a command. On a terminal, control characters are escaped. */
export interface Output {
  readonly isTTY: boolean;
  /** @returns `false` when the caller should wait for `drained` (backpressure). */
  readonly write: (content: string | Buffer) => boolean;
  /** Resolves when the stream accepts more. */
  readonly drained: (signal: AbortSignal) => Promise<void>;
  /** Writes a terminal control sequence: never external text. */
  readonly control: (sequence: string) => void;
}

/** Output to a stream; on a terminal, control characters in the content are shown and not obeyed. */
export function outputOn(stream: OutputStream): Output {
  const isTTY = stream.isTTY === true;
  return {
    isTTY,
    write: (content) => stream.write(isTTY ? escapeControls(content.toString()) : content),
    drained: async (signal) => {
      await once(stream, 'drain', { signal });
    },
    control: (sequence) => stream.write(sequence),
  };
}

const none = '-';
const gap = '  ';

/** Formats records with the same fields as a table for people, with a header; numbers are aligned to the right. */
export function tableText(records: readonly object[]): string {
  const [first] = records;
  if (first === undefined) return 'None.\n';
  const values = records.map((record): unknown[] => Object.values(record));
  const header = Object.keys(first).map((name) => wordsOf(name).toUpperCase());
  const rows = [header, ...values.map((row) => row.map(displayed))];
  const columns = header.map((_name, index) => ({
    width: rows.reduce((width, row) => Math.max(width, lengthOf(row[index] ?? '')), 0),
    toRight: values.every((row) => typeof row[index] === 'number'),
  }));
  return rows
    .map((row) => columns.map(({ width, toRight }, index) => padded(row[index] ?? '', width, toRight)).join(gap))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** Formats one record for people, a line per field. */
export function linesOf(record: object): string {
  const fields = Object.entries(record).map(([name, value]) => [wordsOf(name), displayed(value)] as const);
  const width = Math.max(...fields.map(([name]) => lengthOf(name)));
  return fields.map(([name, text]) => `${padded(name, width, false)}${gap}${text}\n`).join('');
}

/** `createdAt` is `created at`. */
const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Of a list of texts these, of one of records how many. */
function displayed(value: unknown): string {
  if (value === null || value === undefined || value === '') return none;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return displayed(value.some(isObject) ? value.length : value.join(', '));
  if (value instanceof Date) return `${value.toISOString().slice(0, 19).replace('T', ' ')}Z`;
  return String(value).replace(/[\t\n\r]/g, (character) => JSON.stringify(character).slice(1, -1));
}

const lengthOf = (text: string): number => [...text].length;

function padded(text: string, width: number, toRight: boolean): string {
  const space = ' '.repeat(width - lengthOf(text));
  return toRight ? space + text : text + space;
}
