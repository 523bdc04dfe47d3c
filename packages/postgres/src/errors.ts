import { DatabaseError } from 'pg';

/** The SQLSTATE codes that a decision hangs on, by their condition names (PostgreSQL, Appendix A). */
export const sqlState = {
  adminShutdown: '57P01',
  cannotConnectNow: '57P03',
  crashShutdown: '57P02',
  deadlockDetected: '40P01',
  featureNotSupported: '0A000',
  insufficientPrivilege: '42501',
  invalidPassword: '28P01',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  readOnlySqlTransaction: '25006',
  tooManyConnections: '53300',
  undefinedFunction: '42883',
  unableToEstablishConnection: '08001',
} as const;

// Of Node's sockets and TLS, of PostgreSQL (classes 08, 28, 53, 57P, 58, `lock_not_available`, `query_canceled`, a read-only
// standby, 3D000, 55000, 25P03 and 25P04, transactions that were ended because they took too long, and 26000, of a
// statement sent behind the same one, whose preparation was cancelled) and of Prisma
// (P1xxx, P2024, P2028, P2034, P2037).
const outageCode =
  /^(?:ERR_TLS_CERT_ALTNAME_INVALID|E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND|NOENT)|08...|26000|28...|3D000|53...|55000|57P0[1-5]|57014|58...|55P03|25006|25P0[34]|40001|40P01|P10(?:00|01|02|03|08|10|11|17|18)|P20(?:24|28|34|37))$/;

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
  /connection terminated|query read timeout|timeout exceeded when trying to connect|timeout expired|calling end on the pool|connection (?:ended|closed)|client has encountered a connection error|not queryable|Can't reach database server|Unable to start a transaction/i;

const readOnlyCode = new RegExp(`^${sqlState.readOnlySqlTransaction}$`);
const lockCodes: ReadonlySet<string | undefined> = new Set([sqlState.lockNotAvailable, sqlState.deadlockDetected]);

/** The database is unavailable: a retry may help. */
export function isOutage(error: unknown): boolean {
  return isAbout(error, (inner) => {
    if (hasCode(inner, outageCode) || outageKinds.includes(Reflect.get(inner, 'kind'))) return true;
    return inner instanceof Error && outageWords.test(inner.message);
  });
}

/** A write to a server that takes none, as a standby. */
export function isReadOnly(error: unknown): boolean {
  return isAbout(error, (inner) => hasCode(inner, readOnlyCode));
}

const canceledCode = new RegExp(`^${sqlState.queryCanceled}$`);

/** A statement took longer than it may, or somebody cancelled it. */
export function isCanceled(error: unknown): boolean {
  return isAbout(error, (inner) => hasCode(inner, canceledCode));
}

/** Whether another session holds a lock. */
export function isLockConflict(error: unknown): boolean {
  return error instanceof DatabaseError && lockCodes.has(error.code);
}

/** The first line of what PostgreSQL says of a statement, without a period at its end. */
export function driverErrorReason(cause: unknown): string {
  return cause instanceof Error ? (cause.message.split('\n')[0] ?? '').replace(/\.$/, '') : 'unknown reason';
}

/** Explanations by code for a server that rejects connections; its own messages have names of the address. */
const refusals: Readonly<Record<string, string>> = {
  [sqlState.invalidPassword]: 'the user or the password is wrong',
  '28000': 'the server does not let this user in from here; its log says why',
  '3D000': 'the server has no such database',
  [sqlState.insufficientPrivilege]: 'the user may not connect to the database',
  [sqlState.tooManyConnections]: 'the server has no connection left',
  [sqlState.cannotConnectNow]: 'the server is starting or stopping',
};

/** Why there is no connection, without any part of the address: names, hosts and ports are in what others say of it. */
export function connectionReason(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return connectionReason(cause.errors[0]);
  if (!(cause instanceof Error)) return 'unknown reason';
  if (cause instanceof UnusableHosts) return cause.message;
  const code: unknown = Reflect.get(cause, 'code');
  const kind = adapterKindOf(cause);
  if (typeof code !== 'string') return kind ?? driverErrorReason(cause);
  if (cause instanceof DatabaseError) return refusals[code] ?? `the server refuses it (SQLSTATE ${code})`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'the certificate of the server is for another host';
  if (/^P\d{4}$/.test(code)) return kind ?? code;
  const syscall: unknown = Reflect.get(cause, 'syscall');
  return typeof syscall === 'string' ? `${syscall} ${code}` : driverErrorReason(cause);
}

/** How Prisma's adapter names what its message says with the address. */
function adapterKindOf(error: object): string | undefined {
  const { cause, adapterError } = reachable(error);
  for (const inner of [cause, adapterError]) {
    if (typeof inner !== 'object' || inner === null) continue;
    const kind: unknown = Reflect.get(inner, 'kind');
    if (typeof kind === 'string') return kind;
    const deeper = adapterKindOf(inner);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

/** An error in the form of PostgreSQL's, so that the same code handles it. Its message has no address. */
export class UnusableHosts extends DatabaseError {
  override readonly severity = 'FATAL';
  override readonly code: string;

  constructor(message: string, code: string) {
    super(message, message.length, 'error');
    this.code = code;
  }
}

/** Driver, adapter and Prisma wrap an error in turn. Cycles end at a depth. */
function isAbout(error: unknown, matches: (error: object) => boolean, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false;
  return matches(error) || Object.values(reachable(error)).some((inner) => isAbout(inner, matches, depth + 1));
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
