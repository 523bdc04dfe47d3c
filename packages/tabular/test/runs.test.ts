import { codeOf, someCharacters } from '@service/telemetry/testing/characters';
import { expectNotBlocked, leastCpuMs } from '@service/telemetry/testing/event-loop';
import { describe, expect, it } from 'vitest';
import { lettersOf } from '../src/xlsx/references.ts';
import { read, workbookOf } from './workbook.ts';

/** Twice the documented bound: garbage collection is not its own work. */
const holdMs = 2 * 50;
/** A row has no more. */
const rowLength = 249_000;
/** Nor has a part of XML. */
const partLength = 1_000_000;

const header = 'code,name,credits,remarks\n';
const inQuotes = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
const inXml = (character: string): string => escapes[character] ?? character;

/** Those that XML can have. */
const xmlCharacters = someCharacters.filter((one) => /[\t\n\r]|[^\p{Cc}\p{Cs}]/u.test(one));

const textPlaces: Readonly<Record<string, readonly ['csv' | 'json', (run: string) => string]>> = {
  'a cell': ['csv', (run) => `${header},n,1,${run}`],
  'the end of a cell': ['csv', (run) => `${header},n,1,${run}a`],
  'a quoted cell': ['csv', (run) => `${header},n,1,${inQuotes(run)}`],
  'what follows a quoted cell': ['csv', (run) => `${header},n,1,"a"${run}`],
  'a quoted cell with a backslash': ['csv', (run) => `${header},"a\\"b",1,"${run}`],
  'a title': ['csv', (run) => `${run}\n${header},n,1,`],
  'the name of a column': ['csv', (run) => `name,${run}\nn,1`],
  'a value': ['json', (run) => JSON.stringify([{ name: run }])],
  'a key': ['json', (run) => JSON.stringify([{ name: 'n', [run]: 1 }])],
  'what is before a value': ['json', (run) => `[{"name":${run}`],
  'what is around elements': ['json', (run) => `[${run},${run}{`],
};

const row = (cell: string): { readonly rows: string } => ({
  rows: `<row><c t="str"><v>1</v></c><c t="str"><v>n</v></c>${cell}</row>`,
});
const workbookPlaces: Readonly<Record<string, (run: string) => Parameters<typeof workbookOf>[0]>> = {
  'a text': (run) => row(`<c t="inlineStr"><is><t>${run}</t></is></c>`),
  'a shared text': (run) => ({ strings: `<si><t>${run}</t></si>`, ...row('<c t="s"><v>0</v></c>') }),
  'a number': (run) => row(`<c><v>${run}x</v></c>`),
  'a truth value': (run) => row(`<c t="b"><v>${run}</v></c>`),
  'a date': (run) => row(`<c t="d"><v>${run}</v></c>`),
  'an error': (run) => row(`<c t="e"><v>${run}</v></c>`),
  'the number of a shared text': (run) => row(`<c t="s"><v>${run}</v></c>`),
  'the reference of a cell': (run) => row(`<c r="${run}"><v>1</v></c>`),
  'the style of a cell': (run) => row(`<c s="${run}"><v>1</v></c>`),
  'the number of a row': (run) => ({ rows: `<row r="${run}"/>` }),
  'a merged range': (run) => ({ merges: `<mergeCells><mergeCell ref="${run}A"/></mergeCells>`, ...row('<c/>') }),
  'the end of a merged range': (run) => ({ merges: `<mergeCell ref="A1:${run}A"/>`, ...row('<c/>') }),
  'a format': (run) => ({
    styles: `<numFmts><numFmt numFmtId="164" formatCode="${run}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs>`,
    ...row('<c s="0"><v>1</v></c>'),
  }),
  'the name of a sheet': (run) => ({ workbook: `<w><sheets><sheet name="${run}" sheetId="1"/></sheets></w>` }),
};

describe('a run of one character does not hold the event loop', () => {
  it.each(Object.entries(textPlaces))('in %s of a text', async (_place, [format, content]) => {
    for (const character of someCharacters) {
      const file = Buffer.from(content(character.repeat(rowLength / Buffer.byteLength(character))));
      await expectNotBlocked(holdMs, () => read(file, format).catch(() => undefined), codeOf(character));
    }
  });

  it.each(Object.entries(workbookPlaces))('in %s of a workbook', async (_place, content) => {
    for (const character of xmlCharacters) {
      const file = await workbookOf(content(inXml(character).repeat(partLength / inXml(character).length)));
      await expectNotBlocked(holdMs, () => read(file).catch(() => undefined), codeOf(character));
    }
  });
});

it('merged cells are added up once: as many as a sheet may have take no longer than other elements of their rows', async () => {
  const width = 999;
  const lines = Array.from({ length: 60 }, (_, at) => 2 + 2 * at);
  const places = Array.from({ length: width }, (_, at) => lettersOf(at));
  const rows = lines.map(
    (line) => `<row r="${line}">${'<c t="str"><v>a</v></c>'.repeat(width)}</row><row><c r="ALL1"><v>1</v></c></row>`,
  );
  const cpuMs = async (element: string): Promise<number> => {
    const elements = lines.flatMap((line) =>
      places.map((place) => `<${element} ref="${place}${line}:${place}${line + 1}"/>`),
    );
    const file = await workbookOf({ rows: rows.join(''), merges: elements.join('') });
    return leastCpuMs(async () => expect((await read(file)).rows).toHaveLength(2 * lines.length));
  };

  expect(await cpuMs('mergeCell')).toBeLessThan(5 * (await cpuMs('hyperlink')));
});
