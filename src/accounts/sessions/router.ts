import { randomUUID } from 'node:crypto';
import { ServiceError } from '@service/errors';
import { rejectOtherMethods, sendJson, sendMethodNotAllowed } from '@service/http/send';
import express, { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import type { ChangeMonitor, Database } from '../../database/types.ts';
import type { Authenticate } from '../authentication/authenticate.ts';
import type { Caller } from '../caller.ts';
import { browserOf, type Cookies, isOwn } from './cookies.ts';
import type { Provider } from './provider.ts';
import { endSessions, SignInError, signInAs, signInWithKey } from './sessions.ts';
import type { SignIn } from './sign-in.ts';

export const sessionPath = '/session';

interface SessionOptions {
  readonly config: { readonly OWN_KEYS: boolean };
  readonly db: Database;
  readonly changes: Pick<ChangeMonitor, 'bump'>;
  readonly authenticate: Authenticate;
  readonly cookies: Cookies;
  readonly signIn: SignIn;
}

const logoutBody = z.object({ logout_token: z.string() });
const logoutBytesMax = 16_384;

/** The routes of sessions (`docs/contract.md` 3). */
export function createSessionRouter({ config, db, changes, authenticate, cookies, signIn }: SessionOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const { provider, problem } = signIn;

  const callerOf = (request: Request): Promise<Caller> =>
    authenticate({
      apiKey: request.get('x-api-key'),
      authorization: request.get('authorization'),
      address: request.ip ?? '',
    });

  const callerIfAny = async (request: Request): Promise<Caller | undefined> => {
    if (request.get('x-api-key') === undefined) return undefined;
    return callerOf(request).catch((failure: unknown) => {
      if (failure instanceof ServiceError && failure.code === 'API_KEY_INVALID') return undefined;
      throw failure;
    });
  };

  const committed = async <Result>(request: Request, work: Promise<Result>): Promise<Result> => {
    const result = await work;
    changes.bump('access');
    request.hasWritten = true;
    return result;
  };
  const originOf = ({ id }: Request) => ({ requestId: id, changeId: randomUUID() });
  const browserFor = (request: Request): string => browserOf(request.get('user-agent'));

  router.get('/', async (request, response) => {
    const caller = await callerIfAny(request);
    sendJson(response, 200, {
      signedIn: caller !== undefined,
      provider: provider !== undefined,
      problem: problem ?? null,
      ownKeys: config.OWN_KEYS,
    });
  });

  router.post('/', async (request, response) => {
    requireOwn(request);
    const caller = await callerOf(request);
    request.caller = caller;
    cookies.writeSession(
      request,
      response,
      await committed(request, signInWithKey(db, caller, browserFor(request), originOf(request))),
    );
    response.status(204).end();
  });

  router.delete('/', async (request, response) => {
    requireOwn(request);
    const caller = await callerIfAny(request);
    const key =
      caller?.keyId == null
        ? null
        : await db.apiKey.findUnique({ where: { id: caller.keyId }, include: { user: true } });
    if (key !== null) await committed(request, endSessions(db, { id: key.id }, originOf(request)));
    cookies.writeSession(request, response, '');
    const isOfProvider = key?.kind === 'session' && key.madeFrom === null && key.user.issuer === provider?.issuer;
    const signOut = isOfProvider ? await provider?.signOutAddress().catch(() => undefined) : undefined;
    if (signOut === undefined) response.status(204).end();
    else sendJson(response, 200, { signOut });
  });
  router.all('/', (request, response) => sendMethodNotAllowed(response, request.method, 'GET, POST, DELETE'));

  /** Failures lead to the sign-in page of the console, which has a sentence for each. */
  const leadBack = async (
    request: Request,
    response: Response,
    work: (to: Provider) => Promise<string>,
  ): Promise<void> => {
    try {
      if (provider === undefined) throw new SignInError('away');
      response.redirect(303, await work(provider));
    } catch (failure) {
      const reason = problemOf(failure);
      request.log.info({ reason, err: reason === 'failed' ? codeOf(failure) : undefined }, 'sign-in failed');
      response.redirect(303, `/console?sign-in=${reason}`);
    }
  };

  router.get('/sign-in', (request, response) =>
    leadBack(request, response, async (to) => {
      const { address, flow } = await to.begin(ownPath(request.query['return']));
      cookies.writeFlow(request, response, flow);
      return address.href;
    }),
  );
  router.get('/callback', (request, response) =>
    leadBack(request, response, async (to) => {
      const flow = cookies.readFlow(request);
      cookies.writeFlow(request, response, '');
      const { identity, returnTo } = await to.finish(request.originalUrl, flow);
      cookies.writeSession(
        request,
        response,
        await committed(request, signInAs(db, identity, browserFor(request), originOf(request))),
      );
      return returnTo;
    }),
  );
  router.all(['/sign-in', '/callback'], rejectOtherMethods);

  router.post('/back-channel-logout', express.urlencoded({ limit: logoutBytesMax }), async (request, response) => {
    if (provider === undefined) throw new ServiceError('NOT_FOUND', 'There is no such path.');
    const { success, data } = logoutBody.safeParse(request.body);
    const { sub, sid } = await provider.readLogout(success ? data.logout_token : '').catch(() => {
      throw new ServiceError('VALIDATION_FAILED', 'The logout token is not valid.');
    });
    const user = { issuer: provider.issuer, ...(sub !== undefined && { subject: sub }) };
    await committed(
      request,
      endSessions(db, { user, ...(sid !== undefined && { providerSession: sid }) }, originOf(request)),
    );
    response.status(200).end();
  });
  return router;
}

function requireOwn(request: Request): void {
  if (!isOwn(request)) throw new ServiceError('FORBIDDEN', 'Only a page of this service may begin or end a session.');
}

function problemOf(failure: unknown): string {
  if (failure instanceof SignInError) return failure.problem;
  return failure instanceof ServiceError && failure.code === 'UNAUTHENTICATED' ? 'disabled' : 'failed';
}

/** Of a library's error only the code, since its message may contain parts of a token. */
function codeOf(failure: unknown): string {
  const { name, code } =
    failure instanceof Error ? { code: undefined, ...failure, name: failure.name } : { name: '', code: '' };
  return `${name} ${String(code ?? '')}`.trim();
}

const somewhere = 'http://service.invalid';

/** The path to return to after the sign-in; the console's for anything that is not one of this service. */
export function ownPath(given: unknown): string {
  if (typeof given !== 'string' || !URL.canParse(given, somewhere)) return '/console';
  const { origin, pathname, search, hash } = new URL(given, somewhere);
  const isOwnPath = given.startsWith('/') && origin === somewhere && !pathname.startsWith('//');
  return isOwnPath ? pathname + search + hash : '/console';
}
