import type { ChangeMonitor as Monitor } from '@service/change-log/change-monitor';
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';

export type Database = PrismaClient;

export type Transaction = Prisma.TransactionClient;

interface Timestamps {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
}

export function withDates<Row extends Timestamps>(row: Row) {
  return {
    ...row,
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
    deletedAt: row.deletedAt === null ? null : new Date(row.deletedAt),
  };
}

/** `access`: users and API keys; `catalog`: programs, branches and their years. */
export type ChangeKind = 'access' | 'catalog';

export type ChangeMonitor = Monitor<ChangeKind>;
