import { Client, fetchExchange } from '@urql/core';
import { describe, expect, it } from 'vitest';
import { isTheirs, saveCell } from './save-cell.ts';
import type { TriedCell } from './unsaved.ts';

const tried = { key: 'k', typed: 'NEW', version: 3, at: 0 };

describe('a stored value that is not the version which the user has seen', () => {
  it.each([
    ['another field was saved by somebody else', 'OLD', false],
    ['somebody else has typed the same', 'NEW ', false],
    ['an earlier value of the user was saved', 'FIRST', false],
    ['somebody else has typed another', 'THEIRS', true],
    ['somebody else has emptied it', '', true],
    ['somebody else has changed its case', 'old', true],
  ])('when %s, %j, is theirs: %s', (_, stored, theirs) => {
    expect(isTheirs({ tried, known: ['OLD', 'FIRST'] }, stored, 0)).toBe(theirs);
  });

  it('is theirs, though the user has seen it, once the service may have forgotten whether theirs was saved between', () => {
    const dayLater = 24 * 3_600_000;
    expect([
      isTheirs({ tried, known: ['OLD'] }, 'OLD', dayLater),
      isTheirs({ tried, known: [] }, 'NEW', dayLater),
    ]).toEqual([true, false]);
  });
});

describe('a value', () => {
  const code: TriedCell = {
    kind: 'PROGRAM',
    id: 7,
    field: 'code',
    name: 'Physics',
    heading: 'Code',
    typed: 'NEW',
    known: ['OLD'],
    version: 3,
    tried,
    by: 'ada',
  };
  /** What comes of it when the service answers so, and then has no such record. */
  const save = (answer: object) => {
    const bodies = [answer, { data: { programsConnection: { nodes: [], pageInfo: { hasNextPage: false } } } }];
    const respond = async () => Response.json(bodies.shift());
    const client = new Client({ url: 'http://localhost/graphql', exchanges: [fetchExchange], fetch: respond });
    return saveCell(client, code, String);
  };
  const failed = (code: string) => ({
    data: { updateProgram: null },
    errors: [{ message: code, extensions: { code } }],
  });

  it.each([
    ['is saved', { data: { updateProgram: { version: 4 } } }, { version: 4 }],
    ['waits when the service is overloaded', failed('UNAVAILABLE'), { waits: true }],
    ['is rejected', failed('FORBIDDEN'), { problem: expect.any(String) }],
    ['waits until its record is restored', failed('NOT_FOUND'), { problem: expect.any(String), waits: true }],
    ['waits, too, when that was deleted after a change by others', failed('CONFLICT'), { waits: true }],
  ])('%s', async (_, answer, outcome) => {
    expect(await save(answer)).toEqual(outcome);
  });
});
