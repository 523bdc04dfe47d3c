import { identifiersExhausted } from '../../academics/identifier.ts';
import { ServiceError } from '../../errors.ts';

/** Seconds after which a database that restarts is usually back. */
const retryAfterSeconds = 2;

/**
 * Codes that say the database could not be reached, refused, or gave up, rather than that a statement was
 * wrong: of Node's sockets, of PostgreSQL (classes 08, 53, 57P and 58, `lock_not_available`, `query_canceled`,
 * a read-only standby, and its reasons not to let us in: 28..., 3D000, 55000) and of Prisma (P1xxx, P2024, P2028,
 * P2034, P2037).
 */
const outageCode =
  /^(?:E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND|NOENT)|08...|28...|3D000|53...|55000|57P0[1-5]|57014|58...|55P03|25006|40001|40P01|P10(?:00|01|02|03|08|10|11|17|18)|P20(?:24|28|34|37))$/;

/** The same, as the driver's adapter names them: a statement of our own that fails so has no code of Prisma's. */
const outageKinds: readonly unknown[] = [
  'AuthenticationFailed',
  'ConnectionClosed',
  'DatabaseAccessDenied',
  'DatabaseDoesNotExist',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
  'TransactionAlreadyClosed',
  'TransactionWriteConflict',
];

/** Words of errors that carry no code: the driver's own, when a connection ends under it or none is free. */
const outageWords =
  /connection terminated|query read timeout|timeout exceeded when trying to connect|connection (?:ended|closed)|client has encountered a connection error|not queryable|Can't reach database server|Unable to start a transaction/i;

/**
 * Recognizes that an error comes from the database being out of reach.
 *
 * @returns the error to answer with (`UNAVAILABLE`, to be retried), or `undefined` when it is something else.
 */
export function toUnavailableError(error: unknown): ServiceError | undefined {
  if (!isAbout(error, isOutage)) return undefined;
  return new ServiceError('UNAVAILABLE', 'The service is temporarily unavailable. Please try again.', {
    retryAfterSeconds,
    cause: error,
  });
}

/** `sequence_generator_limit_exceeded`, and `numeric_value_out_of_range` where a sequence goes further than its column. */
const exhaustedCode = /^(?:2200H|22003)$/;

/**
 * Recognizes that the database has no identifier left for a new record. To repeat the request is of no use.
 *
 * @returns the error to answer with (`UNAVAILABLE`, status 507), or `undefined` when it is something else.
 */
export function exhaustedFrom(error: unknown): ServiceError | undefined {
  if (!isAbout(error, (inner) => hasCode(inner, exhaustedCode))) return undefined;
  return identifiersExhausted(error);
}

/** Recognizes that a statement was to write to a database that only reads: a standby. */
export function isReadOnly(error: unknown): boolean {
  return isAbout(error, (inner) => hasCode(inner, /^25006$/));
}

/** Errors are wrapped by the driver, the adapter and the client in turn: looks inside, not for ever. */
function isAbout(error: unknown, matches: (error: object) => boolean, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false;
  return matches(error) || Object.values(reachable(error)).some((inner) => isAbout(inner, matches, depth + 1));
}

function isOutage(error: object): boolean {
  if (hasCode(error, outageCode) || outageKinds.includes(Reflect.get(error, 'kind'))) return true;
  return error instanceof Error && outageWords.test(error.message);
}

function hasCode(error: object, wanted: RegExp): boolean {
  const codes = [Reflect.get(error, 'code'), Reflect.get(error, 'originalCode'), Reflect.get(error, 'errorCode')];
  return codes.some((code) => typeof code === 'string' && wanted.test(code));
}

function reachable(error: object): Record<string, unknown> {
  const meta: unknown = Reflect.get(error, 'meta');
  const adapterError: unknown =
    typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'driverAdapterError') : undefined;
  return { cause: Reflect.get(error, 'cause'), adapterError };
}
