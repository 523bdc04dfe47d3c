import { type DestinationStream, type LevelWithSilent, type Logger, pino, stdSerializers } from 'pino';
import { boundLines } from './bounded-lines.ts';
import { linesForFile, linesForTerminal } from './readable-line.ts';
import { openStandardError } from './standard-error.ts';

/** An address of IPv4 or IPv6 with its port, or the port after a removed host. */
const hostAndPort = /(?:\b\d{1,3}(?:\.\d{1,3}){3}|(?<![\da-f:])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}|\[address\]):\d+\b/gi;
const word = /\S+/g;
const letter = /\w/;
/** Special characters of regular expressions. */
const special = /[\\^$.*+?()[\]{}|/]/g;

/** Limits on a logged error, since messages repeat what callers have sent. */
const linesMax = 100;
const lineMax = 2_000;

/** Logs to standard error, as standard output is for the operator; readable on a terminal, else JSON lines. */
export async function openLog(options: LogOptions): Promise<Logger> {
  const standardError = openStandardError();
  const lines = process.stderr.isTTY ? await linesForTerminal(standardError) : linesForFile(standardError);
  return createLog(options, lines);
}

/** Texts that no logged error may contain. */
export interface Secrets {
  /** Addresses and passwords, wherever they are. */
  readonly secrets: readonly string[];
  /** Names, which may be in other words: only as whole words, and not within a path. */
  readonly secretNames?: readonly string[];
}

interface LogOptions extends Secrets {
  readonly level: LevelWithSilent;
}

/**
 * Creates a log of JSON lines. Errors are logged with message and stack, without `secrets` and addresses; warnings and
 * refused requests up to a number a second.
 */
export function createLog({ level, ...secrets }: LogOptions, destination: DestinationStream): Logger {
  const redact = redactor(secrets);
  const serializers = { err: (error: unknown) => describe(error, redact) };
  const logMethod = boundLines(({ level, message, ...others }) => log[level](others, message));
  const log = pino({ level, base: null, serializers, hooks: { logMethod } }, destination);
  return log;
}

/** Removes secrets, and what looks like an address: errors of drivers and libraries may contain them. */
function redactor({ secrets, secretNames = [] }: Secrets): (text: string) => string {
  const names = secretNames.map(
    (name) => new RegExp(`(?<![\\w/.-])${name.replace(special, '\\$&')}(?![\\w/.-])`, 'gu'),
  );
  // A long secret may contain a short one.
  const longestFirst = secrets.toSorted((one, other) => other.length - one.length);
  return (text) => {
    const brief = firstAndLast(text.split('\n')).map(truncated).join('\n');
    const withoutSecrets = longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '[address]'), brief);
    return names
      .reduce((rest, name) => rest.replaceAll(name, '[address]'), withoutSecrets)
      .replaceAll(word, withoutAddress)
      .replaceAll(hostAndPort, '[address]');
  };
}

/** Leaves out the middle of a long error: it begins with the failure, and ends with its place. */
function firstAndLast(all: readonly string[]): readonly string[] {
  if (all.length <= linesMax) return all;
  return [...all.slice(0, linesMax / 2), `… (${all.length} lines)`, ...all.slice(-linesMax / 2)];
}

/** Truncates a long line at a space: half an address would no longer be recognized as secret. */
function truncated(line: string): string {
  if (line.length <= lineMax) return line;
  const beginning = line.slice(0, lineMax);
  return `${beginning.slice(0, beginning.lastIndexOf(' ') + 1)}… (${line.length} characters)`;
}

/** Removes an address with a user and all that follows it: passwords may contain any character. */
function withoutAddress(text: string): string {
  const scheme = text.indexOf('://');
  if (scheme < 0 || text.indexOf('@', scheme) < 0) return text;
  let start = scheme;
  while (start > 0 && letter.test(text.charAt(start - 1))) start -= 1;
  return `${text.slice(0, start)}[address]`;
}

function describe(error: unknown, redact: (text: string) => string): unknown {
  if (!(error instanceof Error)) return redact(String(error));
  const { type, message, stack } = stdSerializers.err(error);
  const code: unknown = Reflect.get(error, 'code');
  return { type, ...(code !== undefined && { code }), message: redact(message), stack: redact(stack) };
}
