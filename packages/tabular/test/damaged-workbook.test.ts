import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { FileError } from '../src/errors.ts';
import { partsOf, read, zipped } from './workbook.ts';

const parts = partsOf({
  workbook:
    '<w xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="Courses" sheetId="1" r:id="s1" state="visible"/></sheets></w>',
  strings: '<si><t>shared</t></si>',
  styles: '<numFmts><numFmt numFmtId="164" formatCode="00000"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs>',
  rows: '<row r="2"><c r="A2" s="0"><v>42</v></c><c r="B2" t="s"><v>0</v></c><c r="C2" t="inlineStr"><is><t>x</t></is></c></row>',
});
const names = Object.keys(parts) as (keyof typeof parts)[];

const hostile = fc.oneof(
  fc.constantFrom('', '//[', 'http://[', 'http://a:b', '../..', '%', '\\', ':', '#', '-1', '1e999', 'NaN', '0x10'),
  fc.constantFrom('9'.repeat(40), '[', '[[[', '"', 'yyyy', '[$-', '__proto__', 'constructor', 's1', 'ZZZZZZ99', 'A0'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const escaped = (text: string): string =>
  text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`).replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '');

/** Another value of one attribute or text, of those that a part has. */
const changed = (part: string, at: number, value: string): string => {
  const places = [...part.matchAll(/(?<==")[^"]*(?=")|(?<=>)[^<>]+(?=<)/g)];
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return part;
  return part.slice(0, place.index) + escaped(value) + part.slice(place.index + place[0].length);
};

const damage = fc.oneof(
  { weight: 6, arbitrary: fc.record({ part: fc.constantFrom(...names), at: fc.nat(40), value: hostile }) },
  { weight: 1, arbitrary: fc.record({ part: fc.constantFrom(...names), at: fc.constant(-1), value: fc.constant('') }) },
);

it('a damaged workbook is read, or rejected with a message for people', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
      const damaged: Record<string, string> = { ...parts };
      for (const { part, at, value } of damages) {
        if (at < 0) delete damaged[part];
        else damaged[part] = changed(damaged[part] ?? '', at, value);
      }
      const problem = await read(await zipped(damaged)).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (problem !== undefined) expect(problem).toBeInstanceOf(FileError);
    }),
    {
      numRuns: inject('thorough') ? 400 : 120,
      examples: [[[{ part: 'xl/_rels/workbook.xml.rels', at: 2, value: '//[' }]]],
    },
  );
});

it('a workbook of any bytes after its beginning is read, or rejected with a message for people', async () => {
  const file = await zipped(parts);
  const cut = fc.record({
    at: fc.nat(file.length - 1),
    removed: fc.nat(40),
    inserted: fc.uint8Array({ maxLength: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(cut, async ({ at, removed, inserted }) => {
      const bytes = Buffer.concat([file.subarray(0, at), inserted, file.subarray(at + removed)]);
      const problem = await read(bytes).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (problem !== undefined) expect(problem).toBeInstanceOf(FileError);
    }),
    { numRuns: inject('thorough') ? 400 : 120 },
  );
});
