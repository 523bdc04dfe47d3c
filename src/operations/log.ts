import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';

/**
 * The log of the process: JSON lines on standard error, so that standard output carries nothing but what
 * the operator is told.
 */
export function createLog({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>): Logger {
  return pino(
    { level: LOG_LEVEL, base: null, redact: ['headers', 'req.headers', 'key', 'token'] },
    pino.destination(2),
  );
}
