import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { StartupError } from '@service/errors';
import { isInstalled, packageFolder } from './installation.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Path of `.env`, beside `package.json`; an installed package has none. */
export const defaultEnvironmentFile = isInstalled
  ? path.resolve('.env')
  : fileURLToPath(new URL('.env', packageFolder));

/**
 * Adds the variables of `ENV_FILE` or `.env`; variables that are set, even to nothing, take precedence.
 * @throws StartupError when the file cannot be parsed, or `ENV_FILE` names one that does not exist.
 */
export function withEnvironmentFile(env: Environment, usualFile: string = defaultEnvironmentFile): Environment {
  const namedFile = env['ENV_FILE']?.trim();
  const variablesInFile = readEnvironmentFile(namedFile || usualFile);
  if (variablesInFile === undefined && namedFile)
    throw new StartupError(`ENV_FILE names ${namedFile}, which does not exist.`);
  return { ...variablesInFile, ...env };
}

const assignment = /^\s*(?:export\s+)?[A-Za-z_][\w.-]*\s*=\s*(.*)$/;
const blankOrComment = /^\s*(?:#.*)?$/;
const quotes = ['"', "'", '`'];

/**
 * Reads a file such as `.env`, if it exists, with Node's parser; lines that it would ignore are errors.
 * @throws StartupError in one line when it cannot be read or parsed; its content is never repeated.
 */
function readEnvironmentFile(file: string): Environment | undefined {
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

/** A larger file is probably not the secret. */
const maxBytes = 65_536;

/**
 * Sets `NAME` to the content of the file `NAME_FILE`, without one line break at the end, as `echo` adds it.
 * @throws StartupError with one line for each unreadable file and each secret given twice; no line repeats a value.
 */
export function withSecretFiles(env: Environment, names: readonly string[]): Environment {
  const secrets: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of names) {
    const file = env[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (env[name]?.trim()) problems.push(`${name} and ${name}_FILE are both set: use one of them`);
    else {
      const secret = readSecret(file);
      if (secret.text === undefined) problems.push(`${name}_FILE names a file that cannot be used: ${secret.problem}`);
      else secrets[name] = secret.text;
    }
  }
  if (problems.length > 0) throw new StartupError(problems.join('\n'));
  return { ...env, ...secrets };
}

type Secret = { readonly text: string } | { readonly text?: undefined; readonly problem: string };

function readSecret(file: string): Secret {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > maxBytes) return { problem: `it is larger than ${maxBytes} bytes` };
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
    return text.trim() === '' ? { problem: 'it is empty' } : { text };
  } catch (problem) {
    const code: unknown = problem instanceof Error && Reflect.get(problem, 'code');
    return { problem: code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : String(code) };
  }
}

/** Shorter names have too many neighbours among the variables of other programs: PORT and PATH, HOST and HOME. */
const shortestName = 8;
const distanceMax = 2;

/** Pairs of given and intended names, within a small edit distance of a variable that is unset. Reads names only. */
export function misspelledVariables(
  given: Iterable<string>,
  known: readonly string[],
): [given: string, meant: string][] {
  const names = new Set(given);
  const missing = known.filter((name) => name.length >= shortestName && !names.has(name));
  return Array.from(names)
    .filter((name) => !known.includes(name))
    .flatMap((name): [string, string][] => {
      const meant = missing.find((each) => editDistance(name.toUpperCase(), each) <= distanceMax);
      return meant === undefined ? [] : [[name, meant]];
    });
}

/** Damerau–Levenshtein distance (optimal string alignment); infinite beyond the maximum. */
function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > distanceMax) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let distance = Math.min(
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      const exchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (exchanged) distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
      current.push(distance);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
