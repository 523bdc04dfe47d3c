import { randomUUID } from 'node:crypto';
import { ServiceError } from '@service/errors';
import type { AdmissionControl } from '@service/http/admission';
import { readBytes } from '@service/http/body-bytes';
import type { ByteBudget } from '@service/http/byte-budget';
import { rejectOtherMethods, sendMethodNotAllowed } from '@service/http/errors';
import type { RateLimit } from '@service/http/rate-limit';
import { sendJson } from '@service/http/send';
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import type { ChangeMonitor, Database, Transaction } from '../../database/types.ts';
import { credentialOf, rateLimitNameOf } from '../authentication/authenticate.ts';
import type { AuthFailureLimit } from '../authentication/failure-limit.ts';
import type { Caller } from '../caller.ts';
import { browserOf, type Cookies, isOwn } from './cookies.ts';
import type { Provider } from './identity-provider.ts';
import { endSessions, type Origin, SignInError, signInAs, signInWithKey } from './sessions.ts';

export const sessionPath = '/session';

interface SessionOptions {
  readonly config: { readonly OWN_KEYS: boolean };
  readonly db: Database;
  readonly changes: Pick<ChangeMonitor, 'bump'>;
  readonly admission: Pick<AdmissionControl, 'yieldWhile'>;
  readonly slowClients: ByteBudget;
  /** Authenticates a request; rejections are logged and counted. */
  readonly identify: (request: Request) => Promise<Caller>;
  readonly failureLimit: AuthFailureLimit;
  readonly rateLimit: RateLimit;
  readonly cookies: Cookies;
  /** `undefined` when there is none, or its configuration is wrong. */
  readonly provider: Provider | undefined;
}

const logoutBytesMax = 16_384;

/** The routes of sessions (`docs/contract.md` 3), by their whole paths: below a base path, `/session/` would be one too. */
export function createSessionRouter(options: SessionOptions): Router {
  const { config, db, changes, admission, slowClients, identify, failureLimit, rateLimit, cookies, provider } = options;
  const router = Router({ caseSensitive: true, strict: true });

  const write = async <Result>(request: Request, work: (tx: Transaction, origin: Origin) => Promise<Result>) => {
    const result = await db.$transaction((tx) => work(tx, { requestId: request.id, changeId: randomUUID() }));
    changes.bump('access');
    request.hasWritten = true;
    return result;
  };

  const callerOf = async (request: Request): Promise<Caller | undefined> =>
    credentialOf(request.get('x-api-key'), request.get('authorization')) === undefined
      ? undefined
      : identify(request).catch(undefinedIfInvalid);

  router.get(sessionPath, async (request, response) => {
    const signedIn = (await callerOf(request)) !== undefined;
    sendJson(response, 200, { signedIn, provider: provider !== undefined, ownKeys: config.OWN_KEYS });
  });

  router.post(sessionPath, async (request, response) => {
    requireOwn(request);
    const caller = await identify(request);
    request.caller = caller;
    rateLimit.count(rateLimitNameOf(caller), response);
    const session = await write(request, (tx, origin) => signInWithKey(tx, caller, browserOf(request), origin));
    cookies.write(request, response, 'session', session);
    response.status(204).end();
  });

  router.delete(sessionPath, async (request, response) => {
    requireOwn(request);
    const caller = await callerOf(request);
    if (caller !== undefined) rateLimit.count(rateLimitNameOf(caller), response);
    const id = caller?.keyId ?? null;
    const key = id === null ? null : await db.apiKey.findUnique({ where: { id }, include: { user: true } });
    if (key !== null) await write(request, (tx, origin) => endSessions(tx, { id: key.id }, origin));
    cookies.write(request, response, 'session', '');
    const isOfProvider = key?.kind === 'session' && key.madeFrom === null && key.user.issuer === provider?.issuer;
    const signOut = isOfProvider ? await provider?.signOutAddress().catch(() => undefined) : undefined;
    if (signOut === undefined) response.status(204).end();
    else sendJson(response, 200, { signOut });
  });
  router.all(sessionPath, (request, response) => sendMethodNotAllowed(response, request.method, 'GET, POST, DELETE'));

  /** The provider may take seconds, in which the request needs no slot. */
  const ask = <Result>(response: Response, question: (provider: Provider) => Promise<Result>): Promise<Result> => {
    if (provider === undefined) throw new SignInError('away');
    return admission.yieldWhile(response, () => question(provider));
  };

  router.get(`${sessionPath}/sign-in`, async (request, response) => {
    const returnTo = ownPath(request.query['return']);
    const { address, cookie } = await ask(response, (asked) => asked.begin(returnTo));
    cookies.write(request, response, 'signIn', cookie);
    response.redirect(303, address.href);
  });
  router.get(`${sessionPath}/callback`, async (request, response) => {
    const cookie = cookies.read(request, 'signIn');
    cookies.write(request, response, 'signIn', '');
    const { identity, returnTo } = await ask(response, (asked) => asked.finish(request.originalUrl, cookie)).catch(
      (failure: unknown) => {
        failureLimit.count(request.ip ?? '');
        throw failure;
      },
    );
    const session = await write(request, (tx, origin) => signInAs(tx, identity, browserOf(request), origin));
    cookies.write(request, response, 'session', session);
    response.redirect(303, returnTo);
  });
  const signInPaths = [`${sessionPath}/sign-in`, `${sessionPath}/callback`];
  router.use(signInPaths, leadBack(provider !== undefined));
  router.all(signInPaths, rejectOtherMethods);

  router.post(`${sessionPath}/back-channel-logout`, async (request, response) => {
    if (provider === undefined) throw new ServiceError('NOT_FOUND', 'There is no such path.');
    const { sub: subject, sid: providerSession } = await admission.yieldWhile(response, async () => {
      const form = await readBytes(request, { limitBytes: logoutBytesMax, slowClients });
      const token = new URLSearchParams(form.toString()).get('logout_token') ?? '';
      return provider.readLogout(token).catch(() => {
        throw new ServiceError('VALIDATION_FAILED', 'The logout token is not valid.');
      });
    });
    const user = { issuer: provider.issuer, ...(subject !== undefined && { subject }) };
    const sessions = { user, ...(providerSession !== undefined && { providerSession }) };
    await write(request, (tx, origin) => endSessions(tx, sessions, origin));
    response.status(200).end();
  });
  return router;
}

function requireOwn(request: Request): void {
  if (!isOwn(request)) throw new ServiceError('FORBIDDEN', 'Only a page of this service may begin or end a session.');
}

function undefinedIfInvalid(failure: unknown): undefined {
  if (failure instanceof ServiceError && failure.code === 'API_KEY_INVALID') return;
  throw failure;
}

/** Failures lead to the sign-in page of the console, which has a sentence for each; not so too many of an address. */
const leadBack =
  (isLogged: boolean): ErrorRequestHandler =>
  (failure: unknown, request, response, next) => {
    if (failure instanceof ServiceError && failure.code === 'RATE_LIMITED') {
      next(failure);
      return;
    }
    const isDisabled = failure instanceof ServiceError && failure.code === 'UNAUTHENTICATED';
    const reason = failure instanceof SignInError ? failure.problem : isDisabled ? 'disabled' : 'failed';
    // Of a library's error only the code, since its message may contain parts of a token.
    const code = failure instanceof Error && 'code' in failure ? failure.code : undefined;
    if (isLogged) request.log.info({ reason, code }, 'sign-in failed');
    response.redirect(303, `/console?sign-in=${reason}`);
  };

const somewhere = 'http://service.invalid';

/** The path to return to after the sign-in; the console's for anything that is not one of this service. */
export function ownPath(given: unknown): string {
  if (typeof given !== 'string' || !URL.canParse(given, somewhere)) return '/console';
  const { origin, pathname, search, hash } = new URL(given, somewhere);
  const isOwnPath = given.startsWith('/') && origin === somewhere && !pathname.startsWith('//');
  return isOwnPath ? pathname + search + hash : '/console';
}
