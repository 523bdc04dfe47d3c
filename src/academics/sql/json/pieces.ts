import { Prisma } from '../../../generated/prisma/client.ts';
import type { Selection } from '../../../operations/selection.ts';

export type JsonType =
  | 'Program'
  | 'ProgramPage'
  | 'ProgramConnection'
  | 'ProgramEdge'
  | 'Branch'
  | 'BranchEdge'
  | 'BranchConnection'
  | 'PageInfo'
  | 'BranchYear'
  | 'Attribute';

/** The selected fields of a row as JSON. */
export type Compile = (type: JsonType, fields: readonly Selection[], row: string) => Prisma.Sql;

/** JSON that is the same for all rows, or an SQL expression. */
export type Piece = string | Prisma.Sql;

/** The members of an object, in the order of its fields. */
export function* objectPieces(
  fields: readonly Selection[],
  piecesOf: (field: Selection) => Iterable<Piece>,
): Generator<Piece> {
  yield '{';
  for (const [index, field] of fields.entries()) {
    yield `${index === 0 ? '' : ','}"${field.key}":`;
    yield* piecesOf(field);
  }
  yield '}';
}

/** Pieces as one expression, with what is constant as parameters. */
export function joined(given: Iterable<Piece>): Prisma.Sql {
  const pieces: Piece[] = [];
  for (const piece of given) {
    const last = pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') pieces.splice(-1, 1, last + piece);
    else pieces.push(piece);
  }
  const operands = pieces.map((piece) => (typeof piece === 'string' ? Prisma.sql`${piece}::text` : piece));
  return Prisma.join(operands, ' || ');
}

/** PostgreSQL has no base64url, and breaks lines. */
export const base64url = (text: string): string =>
  `translate(encode(convert_to(${text}, 'UTF8'), 'base64'), E'+/=\\n', '-_')`;
