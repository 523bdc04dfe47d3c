import { FileError } from '../errors.ts';
import { normalizedName } from '../rows.ts';
import type { Archive } from './archive.ts';
import { type NumberFormat, numberFormatOf, withoutEscapes } from './values.ts';
import { parseWholeXml, parseXml } from './xml.ts';

/** What reading a sheet needs of its workbook. */
export interface Workbook {
  readonly sheet: { readonly name: string; readonly part: string };
  /** Of all visible sheets. */
  readonly sheetNames: readonly string[];
  readonly isFrom1904: boolean;
  /** By the style of a cell. */
  readonly formats: readonly NumberFormat[];
  /** Texts that cells refer to by number. */
  readonly strings: readonly string[];
}

/** Unpacked; of the parts that are neither a sheet nor its texts. */
const partBytesMax = 16_777_216;
/** Bytes that the texts take in memory, by estimate. */
const stringsBytesMax = 536_870_912;
const bytesPerString = 32;

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
      : visible.find(({ name }) => normalizedName(name) === normalizedName(sheetName));
  if (sheet === undefined)
    throw new FileError(`The workbook has no visible sheet${sheetName === undefined ? '' : ' of that name'}.`);
  const partOf = (kind: string): string | undefined => {
    const target = [...relations.values()].find(({ type }) => type.endsWith(`/${kind}`))?.target;
    return target !== undefined && archive.has(target) ? target : undefined;
  };
  const [styles, strings] = [partOf('styles'), partOf('sharedStrings')];
  return {
    sheet,
    sheetNames: visible.map(({ name }) => name),
    isFrom1904,
    formats: styles === undefined ? [] : await formatsOf(archive, styles),
    strings: strings === undefined ? [] : await stringsOf(archive, strings),
  };
}

/** The parts that a part refers to, by id; those of the whole archive for an empty name. */
async function relationsOf(archive: Archive, part: string): Promise<ReadonlyMap<string, Relation>> {
  const at = part.lastIndexOf('/') + 1;
  const [folder, file] = [part.slice(0, at), part.slice(at)];
  const relations = new Map<string, Relation>();
  await parseWholeXml(archive.read(`${folder}_rels/${file}.rels`, partBytesMax), {
    open: (name, { Id: id, Type: type, Target: target }) => {
      if (name !== 'Relationship' || id === undefined || type === undefined || target === undefined) return;
      // One that is no address, as of a link to elsewhere, leads to no part.
      if (!URL.canParse(target, `part:/${folder}`)) return;
      relations.set(id, { type, target: new URL(target, `part:/${folder}`).pathname.slice(1) });
    },
  });
  return relations;
}

async function sheetsOf(archive: Archive, part: string) {
  const sheets: { readonly name: string; readonly id: string; readonly isHidden: boolean }[] = [];
  let isFrom1904 = false;
  await parseWholeXml(archive.read(part, partBytesMax), {
    open: (element, attributes) => {
      if (element === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
      if (element !== 'sheet') return;
      const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? '';
      const state = attributes['state'] ?? 'visible';
      sheets.push({ name: attributes['name'] ?? '', id, isHidden: state !== 'visible' });
    },
  });
  return { sheets, isFrom1904 };
}

async function formatsOf(archive: Archive, part: string): Promise<readonly NumberFormat[]> {
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  let isOfCells = false;
  await parseWholeXml(archive.read(part, partBytesMax), {
    open: (name, { numFmtId: id, formatCode: code }) => {
      if (name === 'numFmt' && code !== undefined) codes.set(Number(id), code);
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'xf' && isOfCells) formats.push(numberFormatOf(Number(id ?? 0), codes.get(Number(id))));
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return formats;
}

/** The texts of a workbook, rich text without its formats, and without what says how to pronounce them. */
async function stringsOf(archive: Archive, part: string): Promise<readonly string[]> {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isPronunciation = false;
  let bytes = 0;
  const chunks = parseXml(archive.read(part), {
    open: (name) => {
      if (name === 'rPh') isPronunciation = true;
      if (name === 't') isText = !isPronunciation;
      if (name === 'si') text = '';
    },
    text: (more) => {
      if (isText) text += more;
    },
    close: (name) => {
      if (name === 'rPh') isPronunciation = false;
      if (name === 't') isText = false;
      if (name !== 'si') return;
      strings.push(withoutEscapes(text));
      bytes += 2 * text.length + bytesPerString;
    },
  });
  for await (const _ of chunks) if (bytes > stringsBytesMax) throw new FileError('The workbook has too many texts.');
  return strings;
}
