import type { AnyTransaction } from '@service/postgres/sql';
import type { ChangeMonitor } from '../../database/types.ts';
import { DefinedAttributes } from './defined-attributes.ts';
import { listDefinitions } from './definitions.ts';

interface ReadFor {
  readonly request: object;
  readonly db: AnyTransaction;
}

/** The definitions as they are: in memory until a change of them is known, in every instance. */
export interface KnownDefinitions {
  /** @param db a transaction, or what reads outside one. */
  read(of: ReadFor): Promise<DefinedAttributes>;
  /** Must be called before a request changes a definition: what it reads then is not kept, as it may roll back. */
  changedBy(request: object): void;
}

/** Definitions depend on no record: their change, which is logged as one of everything, touches them all the same. */
const noRecord = { ids: new Set<number>(), lists: new Set<string>() };

export function createKnownDefinitions(changes: Pick<ChangeMonitor, 'snapshot'>): KnownDefinitions {
  const changing = new WeakSet<object>();
  let known = { isCurrent: (): boolean => false, defined: new DefinedAttributes([]) };
  return {
    read: async ({ request, db }) => {
      if (changing.has(request)) return new DefinedAttributes(await listDefinitions(db));
      if (known.isCurrent()) return known.defined;
      const snapshot = changes.snapshot('catalog');
      const defined = new DefinedAttributes(await listDefinitions(db));
      known = { isCurrent: () => snapshot.isCurrent(noRecord), defined };
      return defined;
    },
    changedBy: (request) => void changing.add(request),
  };
}
