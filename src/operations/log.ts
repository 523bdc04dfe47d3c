import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import type { Config } from '../config.ts';
import { openStandardError } from './standard-error.ts';

/** Anything that looks like an address with a user and a password, and the addresses that drivers put into their errors. */
const addresses = /\w+:\/\/\S+@\S+|\b\d{1,3}(?:\.\d{1,3}){3}:\d+\b/g;

/**
 * Opens the log of the process, on standard error, so that standard output carries nothing but what the operator
 * is told: readable on a terminal, else JSON lines.
 */
export async function openLog(config: LogConfig): Promise<Logger> {
  const standardError = openStandardError();
  if (!process.stderr.isTTY) return createLog(config, standardError);
  const { prettyFactory } = await import('pino-pretty');
  const prettify = prettyFactory({});
  return createLog(config, { write: (line) => standardError.write(prettify(line)) });
}

type LogConfig = Pick<Config, 'LOG_LEVEL' | 'DATABASE_URL'>;

/** Makes a log whose lines go to a destination. */
export function createLog({ LOG_LEVEL, DATABASE_URL }: LogConfig, destination: DestinationStream): Logger {
  const conceal = concealer(DATABASE_URL);
  return pino(
    { level: LOG_LEVEL, base: null, serializers: { err: (error: unknown) => describe(error, conceal) } },
    destination,
  );
}

/** Takes database addresses and passwords out of a text: errors of drivers and libraries may carry them. */
function concealer(databaseUrl: string | undefined): (text: string) => string {
  if (databaseUrl === undefined) return (text) => text.replace(addresses, '[address]');
  const { host, hostname, password } = new URL(databaseUrl);
  const secrets = [databaseUrl, password, decodeURIComponent(password), host, hostname].filter(
    (secret) => secret !== '',
  );
  return (text) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '[address]'), text).replace(addresses, '[address]');
}

function describe(error: unknown, conceal: (text: string) => string): unknown {
  if (!(error instanceof Error)) return conceal(String(error));
  const { type, message, stack } = stdSerializers.err(error);
  const code: unknown = Reflect.get(error, 'code');
  return { type, ...(code !== undefined && { code }), message: conceal(message), stack: conceal(stack) };
}
