import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A column of a table. */
interface Column {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
  readonly mayBeNull: boolean;
  readonly description: string;
}

export interface Table {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly Column[];
  /** The table that its rows belong to. */
  readonly parent: string | undefined;
}

const types: Readonly<Record<string, string>> = {
  BigInt: 'bigint',
  Boolean: 'boolean',
  Bytes: 'bytea',
  DateTime: 'timestamptz',
  Int: 'integer',
  Json: 'jsonb',
  String: 'text',
};

/** Reads the tables from `prisma/schema.prisma`. */
export function readTables(): Table[] {
  const text = readFileSync(path.join(import.meta.dirname, '..', '..', 'prisma', 'schema.prisma'), 'utf8');
  const models = Array.from(text.matchAll(/^\/\/\/ ([^\n]+)\nmodel (\w+) \{\n(.*?)^\}/gms), (match) => {
    const [, description = '', model = '', body = ''] = match;
    return { model, description, body, name: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? model };
  });
  return models.map(({ name, description, body }) => {
    const parent = /^ +\w+ +(\w+) +@relation\(fields/m.exec(body)?.[1];
    return {
      name,
      description,
      columns: columnsOf(body),
      parent: models.find(({ model }) => model === parent)?.name,
    };
  });
}

/** The columns of a model; fields of other types than those of columns are relations. */
function columnsOf(body: string): Column[] {
  const fields = body.matchAll(/^((?: +\/\/ .*\n)*) +(\w+) +(?:Unsupported\("(\w+)"\)|(\w+))(\[\]|\?)?(?: (.*))?$/gm);
  return Array.from(fields).flatMap(([, comment = '', field = '', other, known = '', suffix, attributes = '']) => {
    const type = other ?? types[known];
    if (type === undefined) return [];
    return {
      name: /@map\("(\w+)"\)/.exec(attributes)?.[1] ?? field,
      type: attributes.includes('@db.Uuid') ? 'uuid' : `${type}${suffix === '[]' ? '[]' : ''}`,
      isKey: attributes.includes('@id'),
      // Prisma says of no list whether it may be null.
      mayBeNull: suffix !== undefined,
      description: comment.replaceAll('// ', ' ').replaceAll(/\s+/g, ' ').trim(),
    };
  });
}
