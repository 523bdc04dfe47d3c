import { z } from 'zod';
import type { RequestContext, Warning } from '../../context.ts';
import type { Branch, Program } from '../../generated/prisma/client.ts';
import { type Alike, alikeRecords } from '../sql/records.ts';

/** The input of a create or an update: which fields it sets decides what is compared. */
const written = z.looseObject({ code: z.unknown(), name: z.unknown(), programId: z.unknown() }).partial();
const writing = z.union([z.object({ items: z.array(written) }), z.object({ input: written })]);

/**
 * Warnings of records that have the code or name of those that were written: programs among all, branches within their
 * program. Neither is unique, as universities reuse both; an import matches records by them.
 */
export async function warnOfAlike(
  result: Program | Branch | readonly (Program | Branch)[],
  args: object,
  { db }: RequestContext,
): Promise<Omit<Warning, 'path'>[]> {
  const request = writing.parse(args);
  const inputs = 'items' in request ? request.items : [request.input];
  const records = 'id' in result ? [result] : result;
  const [first] = records;
  if (first === undefined) return [];
  const kind = 'programId' in first ? 'branch' : 'program';
  const given = records.map((record, place) => {
    const { code, name, programId } = inputs[place] ?? {};
    const moves = programId != null;
    return {
      ...record,
      place,
      code: code != null || moves ? record.code : null,
      name: name != null || moves ? record.name : null,
    };
  });
  const alike = await alikeRecords(db, kind === 'branch' ? 'branches' : 'programs', given);
  return alike.map((found) => warningOf(kind, found, 'items' in request));
}

function warningOf(kind: 'program' | 'branch', { place, field, ids }: Alike, isItem: boolean): Omit<Warning, 'path'> {
  const where = kind === 'branch' ? ' of its program' : '';
  const others = ids.length === 1 ? `Another ${kind}${where} has` : `Other ${plurals[kind]}${where} have`;
  return {
    message: `${others} this ${field}: ${ids.join(', ')}.`,
    field: isItem ? `items[${place}].${field}` : field,
    ids,
  };
}

const plurals = { program: 'programs', branch: 'branches' } as const;
