import type { Request, RequestHandler, Response } from 'express';
import type { AppOptions } from './app.ts';
import type { Caller } from './auth/caller.ts';
import { createReauthentication } from './auth/reauthentication.ts';
import { createContext, type RequestContext } from './context.ts';
import type { AdmissionControl } from './http/admission.ts';
import { whenClosed } from './http/closed.ts';
import type { JsonBodyReader } from './http/json-body.ts';

type Inside = Pick<
  AppOptions,
  'db' | 'runInGroupCommit' | 'changes' | 'authenticate' | 'rateLimit' | 'feed' | 'admission' | 'metrics' | 'tracing'
>;

/** The authentication of requests, before anything else about them is looked at, and whenever they had to wait. */
interface Entrance {
  /** Finds out who sends a request, and makes its context. */
  readonly enter: RequestHandler;
  /**
   * Makes a reader whose body may take as long as its sender likes: meanwhile the request's slot is free for others.
   * A key may be revoked in that time, so the request is authenticated again, and has a new context.
   */
  readonly patient: (read: JsonBodyReader) => JsonBodyReader;
}

/** Makes the entrance. */
export function authenticateRequest(options: Inside): Entrance {
  const { rateLimit, admission } = options;
  return {
    enter: async (request, response, next) => {
      rateLimit.count(await authenticated(request, response, options), response);
      next();
    },
    patient: (read) => async (request, response) => {
      if (request.complete) return read(request, response);
      const body = await admission.yieldWhile(response, () => read(request, response));
      await authenticated(request, response, options);
      return body;
    },
  };
}

/** Lets requests in as long as there is room for their work. */
export function gateway(admission: AdmissionControl): RequestHandler {
  return async (_request, response, next) => {
    await admission.acquire(response);
    next();
  };
}

/** Contexts by answer: Express's own `locals` would forget their type. */
const contexts = new WeakMap<Response, RequestContext>();

/** The context of a request that has been authenticated. */
export function contextOf(response: Response): RequestContext {
  const context = contexts.get(response);
  if (context === undefined) throw new Error('The request has not been authenticated.');
  return context;
}

async function authenticated(request: Request, response: Response, options: Inside): Promise<Caller> {
  const { db, runInGroupCommit, changes, authenticate, feed, metrics, tracing } = options;
  const credentials = {
    apiKey: request.get('x-api-key'),
    authorization: request.get('authorization'),
    address: request.ip ?? '',
  };
  const epoch = changes.epoch('access');
  const caller = await authenticate(credentials);
  const { id: requestId, log } = request;
  const lastEventId = request.get('last-event-id');
  const onClosed: RequestContext['onClosed'] = (release) => whenClosed(response, release);
  const subscribe: RequestContext['subscribe'] = async (options) => {
    const events = await feed.subscribe({ ...options, caller, lastEventId });
    // Whatever becomes of the response: nobody else ends what nobody reads.
    onClosed(() => void events.return?.());
    return events;
  };
  const known = { caller, requestId, log, metrics, tracing, subscribe, onClosed };
  const onCommit = (): void => {
    request.hasWritten = true;
  };
  const renewal = createReauthentication({ changes, caller, epoch, authenticate: () => authenticate(credentials) });
  contexts.set(response, createContext({ request: known, db, runInGroupCommit, changes, renewal, onCommit }));
  return caller;
}
