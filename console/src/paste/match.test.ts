import { describe, expect, it } from 'vitest';
import type { RecordKind } from '../api/event-stream.ts';
import type { Column, Listed } from '../table/columns.ts';
import { matchRows, readNames } from './match.ts';
import { readCells } from './paste.ts';

type KnownRecord = Parameters<typeof matchRows>[1]['listed'][number];

const column = (field: string, fileColumn = `program_${field}`): Column<Listed> => ({
  id: field,
  name: field,
  width: '1fr',
  edit: { value: () => '', fileColumn },
});
const columns = ['name', 'code', 'duration'].map((field) => column(field));
const record = (id: number, name: string, code: string): KnownRecord => ({
  row: { id, name },
  code,
});
const art = record(1, 'Art', 'A');
const biology = record(2, 'Biology', 'B');
const chemistry = record(3, 'Chemistry', 'C');
const uncoded = record(4, 'Dance', '');
const list = [art, biology, chemistry, uncoded];
const elsewhere = record(9, 'Zoology', 'Z');

interface Given {
  readonly columns?: readonly Column<Listed>[];
  readonly targets?: readonly KnownRecord[];
  readonly listed?: readonly KnownRecord[];
  readonly coded?: readonly KnownRecord[];
  readonly isInSelection?: boolean;
}

const matchBlock = (
  kind: RecordKind,
  block: string[][],
  given: Required<Omit<Given, 'isInSelection'>>,
  isInSelection = false,
) => {
  const { columns: used, targets, listed, coded } = given;
  const cells = readCells(block, used);
  const names = readNames(kind, block, used, cells, targets);
  return names && matchRows(names, { cells, targets, listed, coded, isInSelection, owner: {} });
};

const matched = (block: string[][], { isInSelection, ...given }: Given = {}) => {
  const usual = { columns, targets: list.slice(0, block.length), listed: list, coded: [elsewhere] };
  return matchBlock('PROGRAM', block, { ...usual, ...given }, isInSelection);
};

/** What matching makes of a block: how many rows are of others, which records they go to, and which are left out. */
const judged = (block: string[][], given?: Given) => {
  const match = matched(block, given);
  if (match === undefined) return undefined;
  const { by, count, paste } = match;
  const { unknown = [], unclear = [], notSelected = 0 } = paste.unmatched ?? {};
  const placed = unclear.map(({ row, title }) => `${row} ${title}`);
  return [by, count, paste.rows.map(({ row }) => row.id), unknown, placed, notSelected];
};

describe('a block that names records', () => {
  const inOrder = [
    ['Art', 'A', '5'],
    ['Biology', 'B', '5'],
  ];
  const reversed = inOrder.toReversed();

  it.each<[string, string[][], Given | undefined, ReturnType<typeof judged>]>([
    ['in the order of the list', inOrder, {}, undefined],
    ['in another order', reversed, {}, ['code', 2, [2, 1], [], [], 0]],
    ['with a code of a record beyond the list', [['Zoology', 'Z', '5']], {}, ['code', 1, [9], [], [], 0]],
    [
      'below the last row of the list',
      [...inOrder, ['Zoology', 'Z', '5']],
      { targets: [art, biology] },
      ['code', 1, [1, 2, 9], [], [], 0],
    ],
    ['with new codes', [['Art', 'NEW', '5']], {}, undefined],
    [
      'with a code that no record has among others',
      [...reversed, ['New', 'N', '5']],
      {},
      ['code', 2, [2, 1], ['New'], [], 0],
    ],
    ['with empty rows among others', [...reversed, ['', '', '']], {}, ['code', 2, [2, 1], [], [], 0]],
    [
      'with new names',
      [
        ['Art and Design', 'A', '5'],
        ['Life', 'B', '5'],
      ],
      {},
      undefined,
    ],
    [
      'with new names in another order',
      [
        ['Life', 'B', '5'],
        ['Art and Design', 'A', '5'],
      ],
      {},
      ['code', 2, [2, 1], [], [], 0],
    ],
    [
      'whose codes are exchanged, and its names are in their places',
      [
        ['Art', 'B', '5'],
        ['Biology', 'A', '5'],
      ],
      {},
      undefined,
    ],
    ['with a record twice', [...reversed, ['Art', 'A', '5']], {}, ['code', 3, [2, 1], [], ['3 Art'], 0]],
    [
      'without a code, by its name',
      [
        ['Dance', '', '5'],
        ['Art', 'A', '5'],
      ],
      {},
      ['code', 2, [4, 1], [], [], 0],
    ],
    [
      'without a code, by a name that has one',
      [
        ['Biology', '', '5'],
        ['Zoology', 'Z', '5'],
      ],
      {},
      ['code', 1, [9], ['Biology'], [], 0],
    ],
    [
      'of the selected rows',
      reversed,
      { targets: [art, biology], isInSelection: true },
      ['code', 2, [2, 1], [], [], 0],
    ],
    [
      'also of rows that are not selected',
      [['Zoology', 'Z', '5'], ...reversed],
      { targets: [art, biology], isInSelection: true },
      ['code', 2, [2, 1], [], [], 1],
    ],
    ['of one row for many', [['Biology', 'B', '5']], { targets: [art, chemistry] }, undefined],
    [
      'by names',
      [
        ['Biology', '5'],
        ['Art', '5'],
      ],
      { columns: [column('name'), column('duration')], coded: [] },
      ['name', 2, [2, 1], [], [], 0],
    ],
    [
      'by a name that several have',
      [
        ['Biology', '5'],
        ['Art', '5'],
      ],
      { columns: [column('name'), column('duration')], coded: [], listed: [...list, record(5, 'Art', 'A2')] },
      ['name', 2, [2], [], ['2 Art'], 0],
    ],
    ['of codes alone', [['B'], ['A']], { columns: [column('code')] }, undefined],
    ['of names alone', [['Biology'], ['Art']], { columns: [column('name')] }, undefined],
    ['of neither', [['5'], ['6']], { columns: [column('duration')] }, undefined],
  ])('%s', (_, block, given, expected) => {
    expect(judged(block, given)).toEqual(expected);
  });

  it('goes to the branch of the list, of several with its code, and to that of its program', () => {
    const branch = (id: number, name: string, program: string): KnownRecord => ({
      row: { id, name },
      program,
      code: 'CS',
    });
    const [ofArts, ofScience, beyond] = [
      branch(1, 'One', 'Arts'),
      branch(2, 'Two', 'Science'),
      branch(3, 'Three', 'Law'),
    ];
    const ofBranch = ['name', 'code'].map((field) => column(field, `branch_${field}`));
    const program: Column<Listed> = { id: 'program', name: 'Program', width: '1fr' };
    const idsOf = (block: string[][], used: readonly Column<Listed>[], listed: readonly KnownRecord[]) =>
      matchBlock('BRANCH', block, {
        columns: used,
        targets: listed.slice(0, block.length),
        listed,
        coded: [ofArts, ofScience, beyond],
      })?.paste.rows.map(({ row }) => row.id);
    const other = { ...branch(4, 'Four', 'Law'), code: 'X' };
    expect(idsOf([['Two', 'CS']], ofBranch, [other, ofScience])).toEqual([2]);
    expect(idsOf([['Two', 'CS']], ofBranch, [other])).toEqual([]);
    expect(idsOf([['Two', 'CS', 'Science']], [...ofBranch, program], [other])).toEqual([2]);
  });

  it('has rows of no record as a file of new ones', () => {
    expect(
      matched([
        ['Biology', 'B', '5'],
        ['New', 'N', '6'],
      ])?.paste.rest,
    ).toEqual([
      ['program_name', 'program_code', 'program_duration'],
      ['New', 'N', '6'],
    ]);
  });
});
