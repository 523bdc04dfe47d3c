import type { SelectionSetNode } from 'graphql';
import type { Reading } from '../../operations/request.ts';
import { notFound } from '../../validation/validate.ts';
import { jsonSelectionOf, readRecordJson } from '../sql/record-json.ts';

/** The fields of a program or branch as JSON, by its id; `undefined` for fields that need resolvers. */
export const recordAsJson =
  (type: 'Program' | 'Branch') =>
  async (
    { id }: { readonly id: number },
    selection: SelectionSetNode,
    { db, dependencies }: Reading,
  ): Promise<string | undefined> => {
    const json = jsonSelectionOf(type, selection);
    if (json === undefined) return undefined;
    const record = await readRecordJson(db, json, id);
    if (record === undefined) throw notFound(type, id);
    dependencies.ids.add(record.programId);
    return record.text;
  };
