import { type LoggerOptions, levels } from 'pino';

/** Lines of one warning within a second, and of requests that were refused: callers can cause thousands. */
const linesMax = 10;
const windowMs = 1_000;

/** What the log says of lines that were omitted. */
export interface Omitted {
  readonly omitted: number;
  readonly level: 'warn' | 'info';
  readonly message: string;
  readonly reason: unknown;
}

interface Window {
  lines: number;
  omitted: number;
}

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/**
 * Omits warnings of one message and reason beyond `linesMax` in a second, and lines of requests with a 503; tells of them
 * when it has passed. So a flood of refusals neither costs more than they do nor fills a disk.
 */
export function boundLines(tell: (omitted: Omitted) => void): LogMethod {
  const windows = new Map<string, Window>();
  return function (args, method, level) {
    const given: readonly unknown[] = args;
    const isWarning = level === levels.values['warn'];
    if (!isWarning && fieldOf(given[0], 'status') !== 503) return method.apply(this, args);
    const message = String(given.find((each) => typeof each === 'string') ?? '');
    const reason = fieldOf(given[0], 'reason');
    const kind = JSON.stringify([level, message, reason]);
    const window = windows.get(kind);
    if (window === undefined) {
      const opened: Window = { lines: 1, omitted: 0 };
      windows.set(kind, opened);
      setTimeout(() => {
        windows.delete(kind);
        const { omitted } = opened;
        if (omitted > 0) tell({ omitted, level: isWarning ? 'warn' : 'info', message, reason });
      }, windowMs).unref();
    } else if (window.lines < linesMax) window.lines += 1;
    else {
      window.omitted += 1;
      return;
    }
    method.apply(this, args);
  };
}

function fieldOf(first: unknown, name: string): unknown {
  return typeof first === 'object' && first !== null ? Reflect.get(first, name) : undefined;
}
