/**
 * For comparison: the same REST responses by Express and Prisma, written by hand the usual way. No keys, no audit, no
 * idempotency, no metrics. Argument: the database's address.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import express from 'express';
import { PrismaClient } from '../../src/generated/prisma/client.ts';
import { announce } from './announce.ts';

const [connectionString = ''] = process.argv.slice(2);
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
const shown = { id: true, name: true, duration: true } as const;
const app = express();
app.use(express.json());

app.get('/v1/api/academics/programs/:id', async (request, response) => {
  const program = await prisma.program.findFirst({
    where: { id: Number(request.params.id), deletedAt: null },
    select: {
      ...shown,
      branches: {
        where: { deletedAt: null },
        select: { id: true, name: true, description: true },
        orderBy: { id: 'asc' },
      },
    },
  });
  if (program === null) response.status(404).json({ message: 'There is no such program.' });
  else response.json(program);
});

app.get('/v1/api/academics/programs', async (request, response) => {
  const page = Number(request.query['page'] ?? 1);
  const size = Number(request.query['size'] ?? 20);
  const where = { deletedAt: null };
  const [count, items] = await Promise.all([
    prisma.program.count({ where }),
    prisma.program.findMany({ where, select: shown, orderBy: { id: 'asc' }, skip: (page - 1) * size, take: size }),
  ]);
  const totalPages = Math.ceil(count / size);
  response.json({
    items,
    pageNumber: page,
    pageSize: size,
    totalPages,
    count,
    hasPreviousPage: page > 1,
    hasNextPage: page < totalPages,
  });
});

app.post('/v1/api/academics/programs', async (request, response) => {
  const { name, duration } = request.body;
  response.status(201).json(await prisma.program.create({ data: { name, duration }, select: shown }));
});

announce(app.listen(0, '127.0.0.1'));
