import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** Approximate maximum size: hundreds of typical documents. */
const bytesMax = 20 * 1024 * 1024;
/** Size of a parsed token with its location; measured. */
const bytesPerToken = 500;
/** Size of a character outside Latin-1. */
const bytesPerCharacter = 2;

/** Valid documents by their text; the least recently used are evicted. */
export function createDocumentCache(): LRUCache<string, DocumentNode> {
  return new LRUCache({
    maxSize: bytesMax,
    sizeCalculation: ({ tokenCount = 0 }, text) => 1 + tokenCount * bytesPerToken + text.length * bytesPerCharacter,
  });
}
