import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { FileError } from '../errors.ts';
import { damaged } from './archive.ts';

/** Gets the elements of a document in order: those of the namespace that its first one has, by their local names. */
export interface XmlHandler {
  /** Attributes without a namespace have their names, those of relationships a colon before it: `:id`. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** A cell has at most 32,767 characters, and nothing else is longer. */
const partLengthMax = 1_048_576;
const depthMax = 100;
/** Of an element; those of workbooks have at most some twenty. */
const attributesMax = 1_000;
/** Characters that are parsed at a time, unless fewer are asked for. */
export const turnLengthMax = 4_096;

const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

/**
 * Parses XML, and yields after each part, so that the caller can take what the handler has collected. Of alternatives for
 * readers of different abilities, the one for the least is read.
 * @throws FileError when it is not well-formed, too deep, or has a part of more than a million characters. Entities of
 *   its own are not expanded.
 */
export async function* parseXml(
  source: AsyncIterable<Buffer>,
  handler: XmlHandler,
  turnLength = turnLengthMax,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: true });
  let decoder: TextDecoder | undefined;
  let main: string | undefined;
  let depth = 0;
  /** The depth of the alternative that is not read. */
  let skipped = Number.POSITIVE_INFINITY;
  let unparsed = 0;
  let attributeCount = 0;
  parser.on('attribute', () => {
    attributeCount += 1;
    if (attributeCount > attributesMax) throw damaged('too many attributes');
  });
  parser.on('error', (problem) => {
    throw damaged(problem);
  });
  parser.on('opentag', ({ uri, local, attributes }: SaxesTagNS) => {
    depth += 1;
    if (depth > depthMax) throw damaged('too deep');
    unparsed = 0;
    attributeCount = 0;
    main ??= uri;
    if (uri === compatibility && local === 'Choice') skipped = Math.min(skipped, depth);
    if (uri === main && depth < skipped) handler.open?.(local, plainAttributes(attributes));
  });
  const onText = (text: string): void => {
    unparsed = 0;
    if (depth < skipped) handler.text?.(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', ({ uri, local }: SaxesTagNS) => {
    if (uri === main && depth < skipped) handler.close?.(local);
    if (depth === skipped) skipped = Number.POSITIVE_INFINITY;
    depth -= 1;
    unparsed = 0;
  });
  for await (const chunk of source) {
    decoder ??= decoderFor(chunk);
    const text = decoded(decoder, chunk);
    unparsed += text.length;
    if (unparsed > partLengthMax) throw damaged('a part without an end');
    for (let start = 0; start < text.length; start += turnLength) {
      parser.write(text.slice(start, start + turnLength));
      yield;
    }
  }
  parser.close();
  yield;
}

/** Parses XML whose handler collects all that is needed. */
export async function parseWholeXml(source: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(source, handler));
}

function plainAttributes(attributes: Readonly<Record<string, SaxesAttributeNS>>): Readonly<Record<string, string>> {
  const plain: Record<string, string> = {};
  for (const name in attributes) {
    const attribute = attributes[name];
    if (attribute === undefined) continue;
    if (attribute.prefix === '') plain[name] = attribute.value;
    else if (attribute.uri.endsWith('/relationships')) plain[`:${attribute.local}`] = attribute.value;
  }
  return plain;
}

/** Chooses the decoder by the mark or the first characters of a document, or by its declaration. */
function decoderFor(start: Buffer): TextDecoder {
  const [first, second] = start;
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c);
  const said = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding=["']([\w.-]+)["']/.exec(start.toString('latin1', 0, 200))?.[1];
  const label = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : (said ?? 'utf-8');
  try {
    return new TextDecoder(label, { fatal: true });
  } catch (problem) {
    throw damaged(problem);
  }
}

function decoded(decoder: TextDecoder, chunk: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch (problem) {
    throw problem instanceof FileError ? problem : damaged(problem);
  }
}
