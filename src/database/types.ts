import type { ChangeMonitor as Monitor } from '@service/change-log/change-monitor';
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';

export type Database = PrismaClient;

export type Transaction = Prisma.TransactionClient;

/** `access`: users and API keys; `catalog`: programs, branches and their years. */
export type ChangeKind = 'access' | 'catalog';

export type ChangeMonitor = Monitor<ChangeKind>;
