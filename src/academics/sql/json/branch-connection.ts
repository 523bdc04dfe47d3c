import { ServiceError } from '@service/errors';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Selection } from '../../../operations/selection.ts';
import { connectionRequest, pageInfoOf, positionId, type Window, windowOf } from '../../../validation/cursors.ts';
import { validateInput } from '../../../validation/validate.ts';
import { branchSelection } from '../records.ts';
import {
  base64url,
  bytesOfRows,
  type Compile,
  type JsonSql,
  joined,
  objectPieces,
  type Piece,
  uncounted,
} from './pieces.ts';

/** The window of the branches of a program; `undefined` for arguments that resolvers reject. */
export function branchWindow(args: object): Window<number> | undefined {
  try {
    return windowOf(validateInput(connectionRequest, args), positionId);
  } catch (problem) {
    if (problem instanceof ServiceError) return undefined;
    throw problem;
  }
}

/** A window of the branches of a program, as JSON. */
export function branchConnection({ fields, args }: Selection, program: string, compile: Compile): JsonSql {
  const window = branchWindow(args) ?? { limit: 0, after: undefined, before: undefined, backwards: false };
  const { limit, after, before, backwards } = window;
  const row = `${program}_branch`;
  const isShown = Prisma.raw(`FILTER (WHERE ${row}.shown IS NOT NULL)`);

  const lists: JsonSql[] = [];
  const items = (type: 'Branch' | 'BranchEdge', selected: readonly Selection[]): Piece[] => {
    const item = compile(type, selected, row);
    lists.push(item);
    return ['[', uncounted(Prisma.sql`coalesce(string_agg(${item.sql}, ',') ${isShown}, '')`), ']'];
  };
  // Without an order of its own, which would change that of the items.
  const cursorOf = (aggregate: 'min' | 'max'): JsonSql =>
    uncounted(Prisma.raw(`coalesce('"' || ${base64url(`${aggregate}(${row}.shown)::text`)} || '"', 'null')`));
  const pageInfo = ({ name }: Selection): Piece[] => {
    if (name === '__typename') return ['"PageInfo"'];
    if (name === 'startCursor') return [cursorOf('min')];
    if (name === 'endCursor') return [cursorOf('max')];
    if (name === (backwards ? 'hasPreviousPage' : 'hasNextPage')) return [uncounted(Prisma.sql`(count(*) > ${limit})`)];
    const { hasNextPage, hasPreviousPage } = pageInfoOf(window, 0, []);
    return [String(backwards ? hasNextPage : hasPreviousPage)];
  };
  const json = joined(
    objectPieces(fields, ({ name, fields: selected }) => {
      switch (name) {
        case 'nodes':
          return items('Branch', selected);
        case 'edges':
          return items('BranchEdge', selected);
        case 'pageInfo':
          return objectPieces(selected, pageInfo);
        case 'totalCount':
          return [
            uncounted(
              Prisma.raw(`(SELECT count(*) FROM branches WHERE program_id = ${program}.id AND deleted_at IS NULL)`),
            ),
          ];
        default:
          return ['"BranchConnection"'];
      }
    }),
  );
  const ofRows = ['nodes', 'edges', 'pageInfo'];
  if (!fields.some(({ name }) => ofRows.includes(name))) return json;
  const bounds = [
    ...(after === undefined ? [] : [Prisma.sql`AND id > ${after}`]),
    ...(before === undefined ? [] : [Prisma.sql`AND id < ${before}`]),
  ];
  const direction = Prisma.raw(backwards ? 'DESC' : 'ASC');
  const rows = Prisma.sql`SELECT ${Prisma.raw(branchSelection)}, row_number() OVER (ORDER BY id ${direction}) AS place
    FROM branches WHERE program_id = ${Prisma.raw(`${program}.id`)} AND deleted_at IS NULL ${Prisma.join([Prisma.empty, ...bounds], ' ')}
    ORDER BY id ${direction} LIMIT ${limit + 1}`;
  // Without rows, there is one object too.
  const sql = Prisma.sql`(SELECT ${json.sql} FROM (
    SELECT *, ${Prisma.raw(base64url('id::text'))} AS cursor, CASE WHEN place <= ${limit} THEN id END AS shown
    FROM (${rows}) AS found ORDER BY id
  ) AS ${Prisma.raw(row)} HAVING true)`;
  return {
    sql,
    least: json.least,
    more: lists.map((item) =>
      bytesOfRows(item, Prisma.sql`SELECT * FROM (${rows}) AS found WHERE place <= ${limit}`, row),
    ),
    isExpanding: json.isExpanding || lists.some(({ isExpanding }) => isExpanding),
    isUnbounded: lists.length > 0,
  };
}
