import type { SelectionSetNode } from 'graphql';
import type { Reading } from '../../operations/request.ts';
import { notFound } from '../../validation/validate.ts';
import { writerOf, writtenRecord } from '../sql/written.ts';

/** The fields of a program or branch as JSON, by its id; `undefined` for fields that need resolvers. */
export const recordAsJson =
  (type: 'Program' | 'Branch') =>
  async (
    { id }: { readonly id: number },
    selection: SelectionSetNode,
    { db, dependencies }: Reading,
  ): Promise<string | undefined> => {
    const writer = writerOf(type, selection);
    if (writer === undefined) return undefined;
    const written = await writtenRecord(db, writer, id);
    if (written === undefined) throw notFound(type, id);
    dependencies.ids.add(written.programId);
    return written.text;
  };
