import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';

/** The Prisma client. */
export type Database = PrismaClient;

/** The Prisma client inside one transaction. */
export type Transaction = Prisma.TransactionClient;
