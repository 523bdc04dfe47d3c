/**
 * For comparison: the same GraphQL responses by Yoga, Pothos and Prisma the usual way, with relations of Prisma. No keys,
 * no limits, no metrics. Argument: the database's address.
 */
import { createServer } from 'node:http';
import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import { PrismaPg } from '@prisma/adapter-pg';
import { createYoga } from 'graphql-yoga';
import type PrismaTypes from '../../src/generated/pothos-types.ts';
import { getDatamodel } from '../../src/generated/pothos-types.ts';
import { PrismaClient } from '../../src/generated/prisma/client.ts';
import { announce } from './announce.ts';

const [connectionString = ''] = process.argv.slice(2);
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
const builder = new SchemaBuilder<{ PrismaTypes: PrismaTypes; DefaultFieldNullability: false }>({
  plugins: [PrismaPlugin],
  defaultFieldNullability: false,
  prisma: { client: prisma, dmmf: getDatamodel() },
});
const existing = { deletedAt: null };

builder.prismaObject('BranchYear', {
  fields: (t) => ({ id: t.exposeInt('id'), code: t.exposeString('code'), year: t.exposeInt('year') }),
});
builder.prismaObject('Branch', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    name: t.exposeString('name'),
    description: t.exposeString('description'),
    years: t.relation('years', { query: { orderBy: { year: 'asc' } } }),
  }),
});
const Program = builder.prismaObject('Program', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    name: t.exposeString('name'),
    duration: t.exposeString('duration'),
    branches: t.relation('branches', { query: { where: existing, orderBy: { id: 'asc' } } }),
  }),
});
const ProgramPage = builder.objectRef<{ readonly page: number; readonly size: number }>('ProgramPage').implement({
  fields: (t) => ({
    items: t.prismaField({
      type: [Program],
      resolve: (query, { page, size }) =>
        prisma.program.findMany({
          ...query,
          where: existing,
          orderBy: { id: 'asc' },
          skip: (page - 1) * size,
          take: size,
        }),
    }),
  }),
});
builder.queryType({
  fields: (t) => ({
    program: t.prismaField({
      type: Program,
      nullable: true,
      args: { id: t.arg.int({ required: true }) },
      resolve: (query, _root, { id }) => prisma.program.findFirst({ ...query, where: { ...existing, id } }),
    }),
    programs: t.field({
      type: ProgramPage,
      args: { page: t.arg.int({ required: true }), size: t.arg.int({ required: true }) },
      resolve: (_root, { page, size }) => ({ page, size }),
    }),
  }),
});

const yoga = createYoga({ schema: builder.toSchema(), graphiql: false, logging: false });
announce(createServer((request, response) => void yoga(request, response)).listen(0, '127.0.0.1'));
