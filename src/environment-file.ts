import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { StartupError } from './errors.ts';

const assignment = /^\s*(?:export\s+)?[A-Za-z_][\w.-]*\s*=\s*(.*)$/;
const blankOrComment = /^\s*(?:#.*)?$/;
const quotes = ['"', "'", '`'];

/**
 * Reads a file of variables, such as `.env`, as Node does, which passes over in silence what it does not understand.
 *
 * @returns undefined when there is no such file.
 * @throws StartupError in one line when it cannot be read or understood; it repeats nothing of what is in it.
 */
export function readEnvironmentFile(file: string): Readonly<Record<string, string | undefined>> | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  const line = firstBadLine(text.split(/\r?\n/));
  if (line !== undefined) throw new StartupError(`${file} cannot be understood: line ${line} is not NAME=value.`);
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

/** The number of the first line that says nothing, or begins a quoted value that never ends. */
function firstBadLine(lines: readonly string[]): number | undefined {
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
