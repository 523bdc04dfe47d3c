import { parsedUrl } from '@service/errors';
import { FileError } from '../errors.ts';
import { fileProblem } from '../problems.ts';
import { rowLengthMax } from '../rows.ts';
import type { Archive } from './archive.ts';
import { generalFormat, type NumberFormat, numberFormatOf } from './number-format.ts';
import { SharedTexts } from './shared-texts.ts';
import { parseWholeXml, parseXml } from './xml.ts';

/** The parts of a workbook that reading a sheet needs. */
export interface Workbook {
  readonly sheet: { readonly name: string; readonly part: string };
  /** Names of all visible sheets. */
  readonly sheetNames: readonly string[];
  readonly isFrom1904: boolean;
  /** Gives the format of a style of cells. */
  readonly formatOf: (style: number) => NumberFormat;
  /** Texts that cells refer to by number. */
  readonly strings: SharedTexts;
}

/** Unpacked; of the parts that are neither a sheet nor its texts. */
const partBytesMax = 16_777_216;
/** Bytes that the texts take in memory; those of a file of 2 MB may unpack to hundreds of times as many. */
const stringsBytesMax = 134_217_728;

/** Sheets, and links to parts, each of which takes memory whatever its length. */
const sheetsMax = 10_000;
/** Formats, and cells' styles; Excel allows 65,490. */
const stylesMax = 70_000;

/** @throws FileError for more than so many. */
function limited(max: number, what: string): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > max)
      throw new FileError(
        fileProblem('WORKBOOK_TOO_LARGE', { what: `The workbook has more than ${max.toLocaleString('en')} ${what}` }),
      );
  };
}

interface Relation {
  readonly type: string;
  readonly target: string;
}

/** @throws FileError for a workbook without such a visible sheet, and for one that is damaged or too large. */
export async function readWorkbook(archive: Archive, sheetName?: string): Promise<Workbook> {
  const whole = await relationsOf(archive, '');
  const part = [...whole.values()].find(({ type }) => type.endsWith('/officeDocument'))?.target ?? 'xl/workbook.xml';
  const relations = await relationsOf(archive, part);
  const { sheets, isFrom1904 } = await sheetsOf(archive, part);
  const visible = sheets.flatMap(({ name, id, isHidden }) => {
    const relation = relations.get(id);
    return !isHidden && relation?.type.endsWith('/worksheet') ? [{ name, part: relation.target }] : [];
  });
  const sheet =
    sheetName === undefined
      ? visible[0]
      : visible.find(({ name }) => name.trim().toLowerCase() === sheetName.trim().toLowerCase());
  if (sheet === undefined)
    throw new FileError(fileProblem('NO_SHEET', { named: sheetName === undefined ? '' : ' of that name' }));
  const partOf = (kind: string): string | undefined => {
    const target = [...relations.values()].find(({ type }) => type.endsWith(`/${kind}`))?.target;
    return target !== undefined && archive.has(target) ? target : undefined;
  };
  const [styles, strings] = [partOf('styles'), partOf('sharedStrings')];
  return {
    sheet,
    sheetNames: visible.map(({ name }) => name),
    isFrom1904,
    formatOf: styles === undefined ? () => generalFormat : await formatsOf(archive, styles),
    strings: strings === undefined ? new SharedTexts() : await stringsOf(archive, strings),
  };
}

/** Returns the parts that a part refers to, by id; those of the whole archive for an empty name. */
async function relationsOf(archive: Archive, part: string): Promise<ReadonlyMap<string, Relation>> {
  const at = part.lastIndexOf('/') + 1;
  const [folder, file] = [part.slice(0, at), part.slice(at)];
  const relations = new Map<string, Relation>();
  const count = limited(sheetsMax, 'links to parts');
  await parseWholeXml(archive.read(`${folder}_rels/${file}.rels`, partBytesMax), {
    open: (name, { Id: id, Type: type, Target: target }) => {
      if (name !== 'Relationship' || id === undefined || type === undefined || target === undefined) return;
      count();
      // A target that is no address, as of a link to elsewhere, leads to no part.
      const address = parsedUrl(target, `part:/${folder}`);
      if (address !== undefined) relations.set(id, { type, target: address.pathname.slice(1) });
    },
  });
  return relations;
}

async function sheetsOf(archive: Archive, part: string) {
  const sheets: { readonly name: string; readonly id: string; readonly isHidden: boolean }[] = [];
  let isFrom1904 = false;
  const count = limited(sheetsMax, 'sheets');
  await parseWholeXml(archive.read(part, partBytesMax), {
    open: (element, attributes) => {
      if (element === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
      if (element !== 'sheet') return;
      count();
      const { name = '', ':id': id = '', state = 'visible' } = attributes;
      sheets.push({ name, id, isHidden: state !== 'visible' });
    },
  });
  return { sheets, isFrom1904 };
}

/** Formats of its own that the cells of a sheet have: each has up to 255 parts. Excel allows some 250. */
const formatsMax = 1_000;

/** Parses formats when cells have them. */
async function formatsOf(archive: Archive, part: string): Promise<Workbook['formatOf']> {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let isOfCells = false;
  const count = limited(stylesMax, 'formats of cells');
  await parseWholeXml(archive.read(part, partBytesMax), {
    open: (name, { numFmtId: id, formatCode: code }) => {
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'numFmt' && code !== undefined) codes.set(Number(id), code);
      else if (name === 'xf' && isOfCells) ids.push(Number(id ?? 0));
      else return;
      count();
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  const known = new Map<number, NumberFormat>();
  const countOwn = limited(formatsMax, 'formats of numbers');
  return (style) => {
    const id = ids[style];
    if (id === undefined) return generalFormat;
    const parsed = known.get(id);
    if (parsed !== undefined) return parsed;
    const code = codes.get(id);
    if (code !== undefined) countOwn();
    const format = numberFormatOf(id, code);
    known.set(id, format);
    return format;
  };
}

/** The texts of a workbook, rich text without its formats, and without what says how to pronounce them. */
async function stringsOf(archive: Archive, part: string): Promise<SharedTexts> {
  const strings = new SharedTexts();
  let text = '';
  let isText = false;
  let isPronunciation = false;
  const chunks = parseXml(archive.read(part), {
    open: (name) => {
      if (name === 'rPh') isPronunciation = true;
      if (name === 't') isText = !isPronunciation;
      if (name === 'si') text = '';
    },
    text: (more) => {
      // The row of a longer one is too long.
      if (isText && text.length <= rowLengthMax) text += more;
    },
    close: (name) => {
      if (name === 'rPh') isPronunciation = false;
      if (name === 't') isText = false;
      if (name === 'si') strings.add(text);
    },
  });
  for await (const _ of chunks)
    if (strings.bytes > stringsBytesMax)
      throw new FileError(
        fileProblem('WORKBOOK_TOO_LARGE', { what: 'The texts of the workbook take more than 128 MiB' }),
      );
  return strings;
}
