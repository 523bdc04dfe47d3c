import { type Details, type FieldProblems, messageOf, type Problem } from './problems.ts';

/** The closed list of error codes. Clients may rely on them: a code never changes its meaning and is never reused. */
export const errorCodes = [
  'API_KEY_MISSING',
  'API_KEY_INVALID',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'VALIDATION_FAILED',
  'CONFLICT',
  'RESPONSE_TOO_LARGE',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'INTERNAL_SERVER_ERROR',
  // Rejected before any rule of the service: by HTTP, or by GraphQL itself.
  'BAD_USER_INPUT',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

interface ServiceErrorOptions {
  /** Problems by field, with `VALIDATION_FAILED`; missing records, with `NOT_FOUND` of several records. */
  readonly errors?: FieldProblems;
  /** The record as it is now; only on `CONFLICT` with an expected version. */
  readonly current?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
  /** The HTTP status where the code is not specific enough: 413, 415 and 422. */
  readonly status?: number | undefined;
  /** `WWW-Authenticate` of a 401 (RFC 9110, 15.5.2). */
  readonly challenge?: string;
  /** Logged, never shown. */
  readonly cause?: unknown;
}

/** An error for the caller: the message says what to do, the code names the kind. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** What the message says, for software; `undefined` where the code says it, or the message is for developers. */
  readonly rule: string | undefined;
  readonly details: Details | undefined;
  readonly errors: FieldProblems | undefined;
  readonly current: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly status: number | undefined;
  readonly challenge: string | undefined;

  constructor(code: ErrorCode, problem: string | Problem, options: ServiceErrorOptions = {}) {
    super(messageOf(problem), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.rule = typeof problem === 'string' ? undefined : problem.rule;
    this.details = typeof problem === 'string' ? undefined : problem.details;
    this.errors = options.errors;
    this.current = options.current;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.status = options.status;
    this.challenge = options.challenge;
  }
}

/** The error of a response that would have more bytes, or whose records have. */
export const responseTooLarge = (bytesMax: number): ServiceError =>
  new ServiceError(
    'RESPONSE_TOO_LARGE',
    `The response would have more than ${bytesMax} bytes. Request fewer records or fields at once.`,
  );

export const isResponseTooLarge = (problem: unknown): boolean =>
  problem instanceof ServiceError && problem.code === 'RESPONSE_TOO_LARGE';

/** The first characters of a text, and an ellipsis if there are more. Does not split a surrogate pair. */
export function shortened(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** As `shortened`, but with its ellipsis no longer than `charactersMax`. */
export const fitted = (text: string, charactersMax: number): string =>
  text.length <= charactersMax ? text : shortened(text, charactersMax - 1);

/** Characters that a message, or a detail of it, quotes of what somebody has sent. */
const excerptMax = 100;

/** The beginning of a text of somebody else, for a message. */
export const excerpt = (text: string): string => shortened(text, excerptMax);

/**
 * An address, and its path where that is relative to a base; `undefined` for a text that is none. `URL.canParse` of
 * Node.js 20 rejects letters such as é once it has been called some thousand times.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** A reason not to start, for the operator: printed as it is, one line each, then exit code 1. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
