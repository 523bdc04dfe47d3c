import { useSyncExternalStore } from 'react';

/** Shared with the other pages of the service. */
const storageName = 'academic-structure-api-key';

interface Session {
  /** The API key or token; empty when signed out. */
  readonly key: string;
  /** Why the service rejects the key. */
  readonly rejection: string | null;
  /** Whether the key was accepted before: then the screen stays when it is rejected. */
  readonly established: boolean;
  /** Whether the key was typed, and not found in the session storage. */
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

/** Stores an accepted key until the tab is closed. */
export function signIn(key: string): void {
  sessionStorage.setItem(storageName, key);
  change({ key, rejection: null, established: true, typed: true });
}

/** Forgets the key and everything else that the tab has stored, such as drafts. */
export function signOut(): void {
  sessionStorage.clear();
  change({ key: '', rejection: null, established: false, typed: false });
}

/** A late response to a request with an earlier key is ignored. */
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
