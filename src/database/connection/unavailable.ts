import { ServiceError } from '../../errors.ts';
import { sqlState } from './sqlstate.ts';

/** Seconds after which a database that restarts is usually back. */
const retryAfterSeconds = 2;

// Of Node's sockets, of PostgreSQL (classes 08, 28, 53, 57P, 58, `lock_not_available`, `query_canceled`, a read-only
// standby, 3D000, 55000, and 25P03 and 25P04, transactions that were ended because they took too long) and of Prisma
// (P1xxx, P2024, P2028, P2034, P2037).
const outageCode =
  /^(?:E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND|NOENT)|08...|28...|3D000|53...|55000|57P0[1-5]|57014|58...|55P03|25006|25P0[34]|40001|40P01|P10(?:00|01|02|03|08|10|11|17|18)|P20(?:24|28|34|37))$/;

/** The same, as Prisma's driver adapter names them; for raw SQL it sets no Prisma code. */
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

/** Messages of errors without a code: of `pg`, when a connection ends or none is free. */
const outageWords =
  /connection terminated|query read timeout|timeout exceeded when trying to connect|connection (?:ended|closed)|client has encountered a connection error|not queryable|Can't reach database server|Unable to start a transaction/i;

/** `UNAVAILABLE` (retryable) for errors of an unavailable database; `undefined` for any other error. */
export function toUnavailableError(error: unknown): ServiceError | undefined {
  if (!isAbout(error, isOutage)) return undefined;
  return new ServiceError('UNAVAILABLE', 'The service is temporarily unavailable. Please try again.', {
    retryAfterSeconds,
    cause: error,
  });
}

const readOnlyCode = new RegExp(`^${sqlState.readOnlySqlTransaction}$`);

export function isReadOnly(error: unknown): boolean {
  return isAbout(error, (inner) => hasCode(inner, readOnlyCode));
}

/** Driver, adapter and Prisma wrap an error in turn. Cycles end at a depth. */
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
