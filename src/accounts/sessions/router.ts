import { parsedUrl, ServiceError } from '@service/errors';
import type { AdmissionControl } from '@service/http/admission';
import type { ByteBudget } from '@service/http/byte-budget';
import { rejectOtherMethods, sendMethodNotAllowed } from '@service/http/errors';
import { pathPrefixOf } from '@service/http/path-prefix';
import type { RateLimit } from '@service/http/rate-limit';
import { sendJson } from '@service/http/send';
import type { SharedLimit } from '@service/postgres/limits';
import type { Metrics } from '@service/telemetry/metrics';
import { type Request, type Response, Router } from 'express';
import type { ChangeMonitor, Database } from '../../database/types.ts';
import { accountOf, type Caller } from '../../operations/caller.ts';
import { toServiceError } from '../../operations/errors.ts';
import { credentialOf } from '../authentication/authenticate.ts';
import type { AuthFailureLimit } from '../authentication/failure-limit.ts';
import { browserOf, type Cookies, isOwn } from './cookies.ts';
import { endSessions } from './end-sessions.ts';
import { createLogoutRouter } from './logout-router.ts';
import type { Provider } from './provider/identity-provider.ts';
import { createProviderTurns } from './provider/provider-turns.ts';
import { createSessionWrites, type ProviderShares } from './session-writes.ts';
import { signInAs, signInWithKey } from './sessions.ts';
import { SignInError } from './sign-in-error.ts';

export const sessionPath = '/session';

interface SessionOptions {
  readonly config: {
    readonly OWN_KEYS: boolean;
    readonly OWN_KEYS_SIGN_IN_DAYS: number;
    readonly PUBLIC_URL?: string | undefined;
  };
  readonly db: Database;
  readonly changes: Pick<ChangeMonitor, 'bump'>;
  readonly admission: Pick<AdmissionControl, 'assign' | 'yieldWhile' | 'release'>;
  readonly shareWrites: SharedLimit;
  readonly shareOfProvider: ProviderShares;
  readonly slowClients: ByteBudget;
  /** Authenticates a request; rejections are logged and counted. */
  readonly identify: (request: Request, response: Response) => Promise<Caller>;
  readonly failureLimit: AuthFailureLimit;
  readonly rateLimit: RateLimit;
  readonly cookies: Cookies;
  readonly metrics: Pick<Metrics, 'credentialRejected'>;
  /** `undefined` when there is none, or its configuration is wrong. */
  readonly provider: Provider | undefined;
}

/** The routes of sessions (`docs/contract.md` 3), by their whole paths: below a base path, `/session/` would be one too. */
export function createSessionRouter(options: SessionOptions): Router {
  const { config, db, admission, identify, failureLimit, rateLimit } = options;
  const { cookies, metrics, provider } = options;
  const router = Router({ caseSensitive: true, strict: true });
  const write = createSessionWrites(options);

  /** Counts a request for its caller, and waits for a slot in their share; returns what they share. */
  const count = async (caller: Caller, response: Response): Promise<string> => {
    const account = accountOf(caller);
    rateLimit.count(account, response);
    await admission.assign(response, account);
    return account;
  };

  const callerOf = async (request: Request, response: Response): Promise<Caller | undefined> =>
    credentialOf(request.get('x-api-key'), request.get('authorization')) === undefined
      ? undefined
      : identify(request, response).catch(undefinedIfInvalid);

  router.get(sessionPath, async (request, response) => {
    const signedIn = (await callerOf(request, response)) !== undefined;
    sendJson(response, 200, { signedIn, provider: provider !== undefined, ownKeys: config.OWN_KEYS });
  });

  router.post(sessionPath, async (request, response) => {
    requireOwn(request);
    const caller = await identify(request, response);
    request.caller = caller;
    const account = await count(caller, response);
    const session = await write.ofAccount(request, account, (tx, origin) =>
      signInWithKey(tx, caller, browserOf(request), origin),
    );
    cookies.writeSession(request, response, session);
    response.status(204).end();
  });

  router.delete(sessionPath, async (request, response) => {
    requireOwn(request);
    const caller = await callerOf(request, response);
    const account = caller === undefined ? '' : await count(caller, response);
    const id = caller?.keyId ?? null;
    const key = id === null ? null : await db.apiKey.findUnique({ where: { id }, include: { user: true } });
    // Other keys have no session to end.
    if (key?.kind === 'session') {
      await write.ofAccount(request, account, (tx, origin) => endSessions(tx, { id: key.id }, origin));
    }
    cookies.writeSession(request, response, '');
    const idToken = cookies.readSignOut(request);
    if (idToken !== '') cookies.writeSignOut(request, response, '');
    const signOut = key?.source === 'provider' ? await provider?.signOutOf(key.user.issuer, idToken) : undefined;
    if (signOut === undefined) response.status(204).end();
    else sendJson(response, 200, signOut);
  });
  router.all(sessionPath, (request, response) => sendMethodNotAllowed(response, request.method, 'GET, POST, DELETE'));

  const askInTurn = createProviderTurns(admission);
  const known = (): Provider => {
    if (provider === undefined) throw new SignInError('away');
    return provider;
  };

  const prefix = pathPrefixOf(config.PUBLIC_URL);
  /** Failures lead to where the sign-in began, where the console has a sentence for each. */
  const leadBack = (request: Request, response: Response, failure: unknown, returnTo: string): void => {
    const { reason, isFault = false, said } = reasonOf(failure);
    metrics.credentialRejected(`sign-in ${reason}`);
    if (provider !== undefined) request.log[isFault ? 'warn' : 'info']({ reason, said }, 'sign-in failed');
    const address = new URL(returnTo, somewhere);
    address.searchParams.set('sign-in', reason);
    response.redirect(303, address.href.slice(somewhere.length));
  };

  router.get(`${sessionPath}/sign-in`, async (request, response) => {
    const returnTo = ownPath(request.query['return'], prefix);
    try {
      const { begin } = known();
      const { address, state, cookie } = await askInTurn(request, response, 'begin', () => begin(returnTo));
      cookies.writeSignIn(request, response, state, cookie);
      response.redirect(303, address.href);
    } catch (failure) {
      leadBack(request, response, failure, returnTo);
    }
  });
  router.get(`${sessionPath}/callback`, async (request, response) => {
    // The provider is asked with whatever code the browser brings.
    failureLimit.requireSome(request.ip ?? '');
    let returnTo = `${prefix}/console`;
    try {
      const { searchParams, search } = new URL(request.originalUrl, somewhere);
      const cookie = cookies.takeSignIn(request, response, searchParams.get('state') ?? '');
      const { readBegun, finish } = known();
      const begun = await readBegun(cookie);
      returnTo = begun.returnTo;
      const { identity, signOut } = await askInTurn(request, response, 'finish', () => {
        // Others of the network may have failed meanwhile.
        failureLimit.requireSome(request.ip ?? '');
        return finish(search, begun);
      });
      const person = [identity.issuer, identity.subject];
      const session = await write.ofSignIn(request, response, person, (tx, origin) =>
        signInAs(tx, identity, browserOf(request), config.OWN_KEYS_SIGN_IN_DAYS, origin),
      );
      cookies.writeSession(request, response, session);
      cookies.writeSignOut(request, response, signOut);
      response.redirect(303, returnTo);
    } catch (failure) {
      // Who has to wait has failed at nothing.
      if (!['unavailable', 'too-many'].includes(reasonOf(failure).reason)) failureLimit.count(request.ip ?? '');
      leadBack(request, response, failure, returnTo);
    }
  });
  router.all([`${sessionPath}/sign-in`, `${sessionPath}/callback`], rejectOtherMethods);

  if (provider !== undefined) router.use(createLogoutRouter(provider, write, options));
  return router;
}

function requireOwn(request: Request): void {
  if (!isOwn(request)) throw new ServiceError('FORBIDDEN', 'Only a page of this service may begin or end a session.');
}

function undefinedIfInvalid(failure: unknown): undefined {
  if (failure instanceof ServiceError && failure.code === 'API_KEY_INVALID') return;
  throw failure;
}

function reasonOf(failure: unknown): { reason: string; isFault?: boolean; said?: string } {
  if (failure instanceof SignInError) {
    return { reason: failure.problem, isFault: failure.isFault, said: failure.message };
  }
  const { code, message } = toServiceError(failure);
  if (code === 'UNAVAILABLE') return { reason: 'unavailable', isFault: true, said: message };
  if (code === 'RATE_LIMITED') return { reason: 'too-many', said: message };
  // Logs an unknown error by its name alone, since its message may contain parts of a token.
  if (!(failure instanceof ServiceError)) return { reason: 'misconfigured', isFault: true, said: Object(failure).name };
  return { reason: code === 'UNAUTHENTICATED' ? 'disabled' : 'failed', said: message };
}

const somewhere = 'http://service.invalid';
/** A longer path would make a cookie too large. */
const returnLengthMax = 700;

/** Returns the path to return to after the sign-in; the console's for any path outside of this service. */
export function ownPath(given: unknown, prefix = ''): string {
  const start = `${prefix}/console`;
  if (typeof given !== 'string') return start;
  const address = parsedUrl(given, somewhere);
  if (address === undefined) return start;
  const { origin, pathname, search, hash } = address;
  const isOwnPath =
    origin === somewhere && given.startsWith('/') && pathname.startsWith(`${prefix}/`) && !pathname.startsWith('//');
  if (!isOwnPath) return start;
  return [pathname + search + hash, pathname].find((path) => path.length <= returnLengthMax) ?? start;
}
