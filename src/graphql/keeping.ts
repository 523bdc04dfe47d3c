import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { KeptResults } from '../cache/kept-results.ts';
import { createSharing } from '../cache/sharing.ts';
import type { RequestContext } from '../context.ts';
import type { Changes } from '../database/changes.ts';
import { contentOf } from '../http/content.ts';
import { contentsOf, programsIn } from './contents.ts';

/** What Yoga writes: `stringify` gives the body when it is there already. */
type Answer = ExecutionResult & { readonly stringify?: () => string };

/** What the keeping of a request's answer needs beside its context. */
export interface Asked {
  /** The key of the answer, if it is a query's. */
  readonly resultKey: string;
}

interface KeepingOptions {
  readonly kept: KeptResults;
  readonly changes: Changes;
}

/**
 * Keeps the answers to queries that went well, and lets those who ask for the same at the same time share one
 * execution.
 */
export function useKeptResults({ kept, changes }: KeepingOptions): Plugin<RequestContext & Asked> {
  const share = createSharing<Answer>(changes);
  return {
    onExecute: ({ args: { schema, document, contextValue }, executeFn, setExecuteFn }) => {
      const contents = contentsOf(schema, document);
      if (contents === 'unknown') return;
      const { resultKey: key } = contextValue;
      setExecuteFn(async (args) => {
        const found = kept.find(key);
        if (found !== undefined) return { data: null, stringify: () => found.text };
        return share(key, async () => {
          const epoch = kept.begin();
          const result: Answer = await executeFn(args);
          if (result.errors !== undefined) return result;
          const text = JSON.stringify(result);
          kept.keep(key, contentOf(text), { epoch, programs: programsIn(contents, contextValue) });
          return { ...result, stringify: () => text };
        });
      });
    },
  };
}
