import type { GroupCommitOptions } from '@service/postgres/group-commit';
import type { SelectionSetNode } from 'graphql';
import type { z } from 'zod';
import type { Affects, RawWriteContext, RequestContext, WriteContext } from '../context.ts';
import { validateInput } from '../validation/validate.ts';
import type { Write } from './written.ts';

type Arguments = { readonly input?: object | null };

/**
 * Field options of a resolver whose arguments are validated first, those of `input` on the same level; and of a query
 * that PostgreSQL can write.
 */
export function withInput<Schema extends z.ZodType, Result>(
  schema: Schema,
  resolve: (input: z.output<Schema>, context: RequestContext) => Result,
  write?: Write<z.output<Schema>>,
) {
  return {
    ...(write && {
      write: (args: object, selection: SelectionSetNode, context: RequestContext) =>
        write(inputOf(schema, args), selection, context),
    }),
    inputSchema: schema,
    resolve: (_parent: unknown, args: object, context: RequestContext): Result =>
      resolve(inputOf(schema, args), context),
  };
}

/** One failed field must not hide what the others of its document have done (`docs/contract.md` 7). */
const nullable = { nullable: true } as const;

/**
 * Field options of a mutation in one transaction through Prisma; `affects` says which caches become invalid. `isLong` is
 * asked before it whether it may take seconds; with an idempotency key it is taken for long.
 */
export function withWrite<Schema extends z.ZodType, Result>(
  schema: Schema,
  affects: Affects<Result>,
  write: (input: z.output<Schema>, context: WriteContext) => Promise<Result>,
  isLong?: (input: z.output<Schema>, context: RequestContext) => Promise<boolean>,
) {
  return {
    ...nullable,
    ...(isLong && { isLong: true }),
    ...withInput(schema, async (input, context) =>
      context.transaction(write, input, { affects, isLong: (await isLong?.(input, context)) ?? false }),
    ),
  };
}

/** As `withWrite`, for a transaction that may take seconds. */
export function withLongWrite<Schema extends z.ZodType, Result>(
  schema: Schema,
  affects: Affects<Result>,
  write: (input: z.output<Schema>, context: WriteContext) => Promise<Result>,
) {
  const isLong = true;
  return {
    ...nullable,
    isLong,
    ...withInput(schema, (input, context) => context.transaction(write, input, { affects, isLong })),
  };
}

interface CreateOptions<Result> extends GroupCommitOptions {
  readonly affects: Affects<Result>;
}

/** Field options of a mutation that creates: as `withWrite`, but raw SQL, which may share its commit if `groupable`. */
export function withCreate<Schema extends z.ZodType, Result>(
  schema: Schema,
  options: CreateOptions<Result>,
  create: (input: z.output<Schema>, context: RawWriteContext) => Promise<Result>,
) {
  return {
    ...nullable,
    groupable: options.groupable,
    ...withInput(schema, (input, context) => context.rawTransaction(create, input, options)),
  };
}

/** As `withInput`, for a `prismaField`: its query, with the relations, must go into the Prisma call that reads. */
export function withQueryAndInput<Schema extends z.ZodType, Result>(
  schema: Schema,
  resolve: (query: object, input: z.output<Schema>, context: RequestContext) => Result,
) {
  return {
    inputSchema: schema,
    resolve: (query: object, _parent: unknown, args: object, context: RequestContext): Result =>
      resolve(query, inputOf(schema, args), context),
  };
}

function inputOf<Schema extends z.ZodType>(schema: Schema, args: Arguments): z.output<Schema> {
  const { input, ...rest } = args;
  return validateInput(schema, { ...rest, ...input });
}
