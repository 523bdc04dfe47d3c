import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { StartupError } from '@service/errors';

const assignment = /^\s*(?:export\s+)?[A-Za-z_][\w.-]*\s*=\s*(.*)$/;
const blankOrComment = /^\s*(?:#.*)?$/;
const quotes = ['"', "'", '`'];

/**
 * Reads a file such as `.env`, if it exists, with Node's parser; lines that it would ignore are errors.
 * @throws StartupError in one line when it cannot be read or parsed; its content is never repeated.
 */
export function readEnvironmentFile(file: string): Readonly<Record<string, string | undefined>> | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  const line = firstInvalidLine(text.split(/\r?\n/));
  if (line !== undefined) throw new StartupError(`${file} is invalid: line ${line} is not NAME=value.`);
  return parseEnv(text);
}

function readText(file: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (problem) {
    const code: unknown = problem instanceof Error && Reflect.get(problem, 'code');
    if (code === 'ENOENT') return undefined;
    const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : String(code);
    throw new StartupError(`${file} cannot be read: ${reason}.`, { cause: problem });
  }
}

function firstInvalidLine(lines: readonly string[]): number | undefined {
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (blankOrComment.test(line)) continue;
    const value = assignment.exec(line)?.[1];
    if (value === undefined) return index + 1;
    const quote = quotes.find((each) => value.startsWith(each));
    if (quote === undefined || value.indexOf(quote, 1) > 0) continue;
    const end = lines.findIndex((other, at) => at > index && other.includes(quote));
    if (end < 0) return index + 1;
    index = end;
  }
  return undefined;
}
