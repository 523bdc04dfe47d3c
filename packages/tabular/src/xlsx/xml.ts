import { SaxesParser } from 'saxes';
import { FileError } from '../errors.ts';
import { damaged } from './archive.ts';

/** Gets the parts of a document in order; names are without their prefixes. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** A cell has at most 32,767 characters, and nothing else is longer. */
const partLengthMax = 1_048_576;
const depthMax = 100;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Parses XML, and yields after each chunk, so that the caller can take what the handler has collected.
 * @throws FileError when it is not well-formed, too deep, or has a part of more than a million characters. Entities of
 *   its own are not expanded.
 */
export async function* parseXml(source: AsyncIterable<Buffer>, handler: XmlHandler): AsyncGenerator<void> {
  const parser = new SaxesParser();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let depth = 0;
  let unparsed = 0;
  parser.on('error', (problem) => {
    throw damaged(problem);
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > depthMax) throw damaged('too deep');
    unparsed = 0;
    handler.open?.(localName(name), attributes);
  });
  const onText = (text: string): void => {
    unparsed = 0;
    handler.text?.(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    unparsed = 0;
    handler.close?.(localName(name));
  });
  for await (const chunk of source) {
    const text = decoded(decoder, chunk);
    unparsed += text.length;
    if (unparsed > partLengthMax) throw damaged('a part without an end');
    parser.write(text);
    yield;
  }
  parser.close();
  yield;
}

/** Parses XML whose handler collects all that is needed. */
export async function parseWholeXml(source: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(source, handler));
}

function decoded(decoder: TextDecoder, chunk: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch (problem) {
    throw problem instanceof FileError ? problem : damaged(problem);
  }
}
