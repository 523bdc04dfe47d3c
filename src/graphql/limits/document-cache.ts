import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** All of them together, about: hundreds of usual size. */
const bytesMax = 20 * 1024 * 1024;
/** What a token takes once it is parsed, with its place in the text; measured. */
const bytesPerToken = 500;
/** What a character takes that is not Latin. */
const bytesPerCharacter = 2;

/** Makes a memory of documents by their text; those that have not been asked for the longest make way. */
export function createDocumentCache(): LRUCache<string, DocumentNode> {
  return new LRUCache({
    maxSize: bytesMax,
    sizeCalculation: ({ tokenCount = 0 }, text) => 1 + tokenCount * bytesPerToken + text.length * bytesPerCharacter,
  });
}
