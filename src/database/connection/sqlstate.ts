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
  readOnlySqlTransaction: '25006',
  tooManyConnections: '53300',
  undefinedFunction: '42883',
  unableToEstablishConnection: '08001',
} as const;
