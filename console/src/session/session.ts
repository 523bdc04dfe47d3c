import { useSyncExternalStore } from 'react';

/** Shared with the other pages of the service. */
const storageName = 'academic-structure-api-key';

interface Session {
  /** The API key or token; empty when nobody has signed in. */
  readonly key: string;
  /** Why the key is no longer accepted. */
  readonly rejection: string | null;
  /** Whether the key was accepted once: then what is on the screen stays when it is rejected. */
  readonly established: boolean;
  /** Whether the key was typed in this page, and not found in the tab. */
  readonly typed: boolean;
}

const listeners = new Set<() => void>();
let session: Session = {
  key: sessionStorage.getItem(storageName) ?? '',
  rejection: null,
  established: false,
  typed: false,
};

function change(changes: Partial<Session>): void {
  session = { ...session, ...changes };
  for (const listener of listeners) listener();
}

/** Stores a key that the service has accepted, until the tab is closed. */
export function signIn(key: string): void {
  sessionStorage.setItem(storageName, key);
  change({ key, rejection: null, established: true, typed: true });
}

export function signOut(): void {
  sessionStorage.removeItem(storageName);
  change({ key: '', rejection: null, established: false, typed: false });
}

/** Notes that a request was rejected for its key; `key` tells late responses to an earlier one apart. */
export function rejectKey(key: string, reason: string): void {
  if (key === session.key && session.rejection === null) change({ rejection: reason });
}

export function acceptKey(): void {
  if (!session.established) change({ established: true });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session);
}
