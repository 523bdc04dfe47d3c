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

/**
 * Reads a file such as `.env`, if it exists, with Node's parser; lines that it would ignore are errors.
 * @throws StartupError in one line when it cannot be read or parsed; its content is never repeated.
 */
function readEnvironmentFile(file: string): Environment | undefined {
  const content = readText(file);
  if (content.text === undefined) {
    if (content.problem === 'ENOENT') return undefined;
    throw new StartupError(`${file} cannot be read: ${content.problem}.`);
  }
  const line = firstInvalidLine(content.text);
  if (line !== undefined) throw new StartupError(`${file} is invalid: line ${line} is not NAME=value.`);
  return parseEnv(content.text);
}

/** A blank line, a comment, or a variable, whose value may have several lines in quotes. */
const validLine =
  /[^\S\r\n]*(?:#.*|(?:export[^\S\r\n]+)?[A-Za-z_][\w.-]*[^\S\r\n]*=(?:[^\S\r\n]*(?:"[^"]*"|'[^']*'|`[^`]*`)|(?![^\S\r\n]*["'`])).*)?(?:\r?\n|$)/y;

function firstInvalidLine(text: string): number | undefined {
  validLine.lastIndex = 0;
  while (validLine.lastIndex < text.length) {
    const begin = validLine.lastIndex;
    if (!validLine.test(text)) return text.slice(0, begin).split('\n').length;
  }
  return undefined;
}

type Content = { readonly text: string } | { readonly text?: undefined; readonly problem: string };

function readText(file: string): Content {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) };
  } catch (problem) {
    const code: unknown = problem instanceof Error && Reflect.get(problem, 'code');
    return { problem: code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : String(code) };
  }
}

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

/** A larger file is probably not the secret. */
const bytesMax = 65_536;

function readSecret(file: string): Content {
  const content = readText(file);
  if (content.text === undefined) return content;
  if (Buffer.byteLength(content.text) > bytesMax) return { problem: `it is larger than ${bytesMax} bytes` };
  const text = content.text.replace(/\r?\n$/, '');
  return text.trim() === '' ? { problem: 'it is empty' } : { text };
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

/** Levenshtein distance; infinite when the lengths alone differ by more than the maximum. */
function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > distanceMax) return Number.POSITIVE_INFINITY;
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (last[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    last = current;
  }
  return last[other.length] ?? 0;
}
