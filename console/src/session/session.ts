import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { fetchOwn } from '../api/fetch-own.ts';
import { inService } from '../api/service-address.ts';
import { createListeners } from '../browser/listeners.ts';
import { reloadPage } from '../browser/reload.ts';
import { tabStorage } from '../browser/storage.ts';
import { t } from '../language/language.ts';

const signedOut = z.object({ signOut: z.optional(z.string()), stillSignedInAt: z.optional(z.string()) });

/** The session itself is a cookie, which no script sees: the page knows only whether there is one. */
interface Session {
  /** `asking`: the service has not responded yet. */
  readonly state: 'asking' | 'out' | 'in';
  /** The number of the sign-in, in this tab or another: each has a client of its own. */
  readonly number: number;
  /** Why the service no longer accepts the session. */
  readonly rejection: string | null;
  /** Whether the session was accepted before: then the screen stays when it is rejected. */
  readonly established: boolean;
  /** Whether the user has signed in on this page, not before it was loaded. */
  readonly typed: boolean;
  /** Where the user is still signed in, who has signed out here: the provider, and the address to sign out there. */
  readonly stillSignedIn: z.infer<typeof signedOut> | null;
  /** Whether people can sign in with the account of the university. */
  readonly hasProvider: boolean;
  /** Whether users without the role of an administrator may issue keys for themselves. */
  readonly ownKeys: boolean;
}

const changes = createListeners();
/** Says, until the user signs out, that they are signed in, as far as this tab knows. */
const wasSignedInName = 'console-signed-in';
/** What `stillSignedIn` is kept under while the page loads again. */
const signedOutName = 'console-signed-out';
let session: Session = {
  state: 'asking',
  number: 0,
  rejection: null,
  established: false,
  typed: false,
  stillSignedIn: takeSignedOut(),
  hasProvider: false,
  ownKeys: true,
};

function change(changed: Partial<Session>): void {
  session = { ...session, ...changed };
  changes.notify();
}

/** The other tabs of the browser have the same cookie. */
const tabs = new BroadcastChannel('academic-structure-session');
tabs.onmessage = ({ data }: MessageEvent<unknown>) => {
  if (data === 'in') enter(false);
  else leave(reloadPage);
};

function enter(typed: boolean): void {
  tabStorage.write(wasSignedInName, 'yes');
  change({
    state: 'in',
    number: session.number + 1,
    rejection: null,
    established: session.established || typed,
    typed,
    stillSignedIn: null,
  });
}

/** Removes the tab's stored data, such as drafts, and leaves the page: the next one knows nothing of the user. */
function leave(go: () => void): void {
  tabStorage.clear();
  change({ state: 'out', rejection: null, established: false, typed: false });
  go();
}

function takeSignedOut(): Session['stillSignedIn'] {
  const text = tabStorage.read(signedOutName);
  tabStorage.remove(signedOutName);
  return text === null ? null : signedOut.parse(JSON.parse(text));
}

const sessionSchema = z.object({ signedIn: z.boolean(), provider: z.boolean(), ownKeys: z.boolean() });

/** Asks the service whether this browser is signed in, and says so if it no longer is. */
export async function resumeSession(): Promise<void> {
  try {
    const { signedIn, provider, ownKeys } = sessionSchema.parse(await (await fetchOwn('/session')).json());
    const isEnded = !signedIn && tabStorage.read(wasSignedInName) !== null;
    if (signedIn) tabStorage.write(wasSignedInName, 'yes');
    change({
      state: signedIn ? 'in' : 'out',
      rejection: isEnded ? t('api.sessionEnded') : null,
      hasProvider: provider,
      ownKeys,
    });
  } catch {
    // Away or restarting: the screen says so, and tries again.
    change({ state: 'in' });
  }
}

/** Signs in with a key or token. Returns `null` if the service accepts it, otherwise the reason. */
export async function signIn(key: string): Promise<string | null> {
  if (!/^[\x21-\x7e]+$/.test(key)) return t('session.noSpaces');
  try {
    const response = await fetchOwn('/session', { method: 'POST', headers: { 'x-api-key': key } });
    if (!response.ok) return reasonOf(response);
  } catch {
    return t('api.unreachable');
  }
  enter(true);
  tabs.postMessage('in');
  return null;
}

function reasonOf({ headers, status }: Response): string {
  switch (headers.get('x-error-code')) {
    case 'API_KEY_INVALID':
      return t('session.keyInvalid');
    case 'UNAUTHENTICATED':
      return t('session.noUser');
    case 'RATE_LIMITED':
      return t('api.rateLimited');
    case 'UNAVAILABLE':
      return t('api.unavailable');
    default:
      return t('session.signInFailed', { status: String(status) });
  }
}

/** Ends the session in all tabs, and at the identity provider where that can be done without a question. */
export async function signOut(): Promise<void> {
  const response = await fetchOwn('/session', { method: 'DELETE' }).catch(() => undefined);
  if (response?.ok !== true) {
    change({ rejection: t('session.stillSignedIn') });
    return;
  }
  tabs.postMessage('out');
  const elsewhere = response.status === 200 ? signedOut.parse(await response.json()) : {};
  const { signOut: address, stillSignedInAt } = elsewhere;
  leave(() => {
    if (stillSignedInAt !== undefined) tabStorage.write(signedOutName, JSON.stringify(elsewhere));
    if (stillSignedInAt === undefined && address !== undefined) location.assign(address);
    else reloadPage();
  });
}

/**
 * Takes the reason of a failed sign-in at the provider out of the address, so that neither a reload nor the next
 * sign-in has it.
 */
export function takeSignInFailure(): string | null {
  const address = new URL(location.href);
  const failure = address.searchParams.get('sign-in');
  if (failure === null) return null;
  address.searchParams.delete('sign-in');
  history.replaceState(history.state, '', address);
  return failure;
}

/** Returns the address to sign in with the account of the university, and to return to this screen. */
export function providerAddress(): string {
  const parameters = new URLSearchParams({ return: location.pathname + location.search });
  return inService(`/session/sign-in?${parameters}`);
}

/** A late response to a request of an earlier session is ignored. */
export function rejectSession(number: number, reason: string): void {
  if (number === session.number && session.rejection === null) change({ rejection: reason });
}

/** Why something cannot be read or sent: the service no longer accepts the session, or else this. */
export const sayWhy = (otherwise: string): string => session.rejection ?? otherwise;

/** Fetches what needs the session; the user signs in again when the service no longer accepts it. */
export async function fetchInSession(path: string, init?: RequestInit): Promise<Response> {
  const { number } = session;
  const response = await fetchOwn(path, init);
  if (response.status === 401) rejectSession(number, t('api.sessionEnded'));
  return response;
}

export function acceptSession(): void {
  if (!session.established) change({ established: true });
}

export const useSession = (): Session => useSyncExternalStore(changes.listen, () => session);
