import type { ServerResponse } from 'node:http';
import type { Freshness } from '@service/change-log/epochs';
import { ServiceError } from '@service/errors';
import type { AdmissionControl } from '@service/http/admission';
import type { RateLimit } from '@service/http/rate-limit';
import type { Metrics } from '@service/telemetry/metrics';
import type { Request, RequestHandler, Response } from 'express';
import { type Authenticate, credentialsOf, type WaitsForKeys } from '../accounts/authentication/authenticate.ts';
import { hasSamePermissions } from '../accounts/authentication/caller-monitor.ts';
import { rejectionReasonOf } from '../accounts/authentication/errors.ts';
import { accessChanged } from '../operations/access.ts';
import type { Caller } from '../operations/caller.ts';
import { type App, type Reauthentication, RequestState } from '../operations/request.ts';

declare global {
  namespace Express {
    interface Request {
      caller?: Caller;
      state?: RequestState;
    }
  }
}

interface AuthenticationOptions extends App {
  readonly authenticate: Authenticate;
  readonly waitsForKeys: WaitsForKeys;
  readonly rateLimit: RateLimit;
  readonly admission: AdmissionControl;
}

type BodyReader<Body> = (request: Request, response: Response) => Promise<Body>;

interface RequestAuthentication {
  /** The caller of a request; rejections are logged and counted. */
  readonly identify: (request: Request, response: Response) => Promise<Caller>;
  readonly authenticate: RequestHandler;
  /** The state of a read whose caller has been authenticated. */
  readonly stateOfRead: (response: ServerResponse, caller: Caller, id: string) => RequestState;
  /** Yields the admission slot while a slow body arrives, and authenticates again afterwards. */
  readonly slowBody: <Body>(read: BodyReader<Body>) => BodyReader<Body>;
}

/** Authenticates requests and makes their state, before their handlers. */
export function authenticateRequest(app: AuthenticationOptions): RequestAuthentication {
  const { rateLimit, admission, metrics, changes } = app;
  const takeSnapshot = (): Freshness => changes.snapshot('access');
  const recordIn =
    (request: Request) =>
    (problem: unknown): never => {
      throw recordRejection(problem, request, metrics);
    };
  const authenticated = async (request: Request) => {
    const credentials = credentialsOf(request);
    const snapshot = takeSnapshot();
    const caller = await app.authenticate(credentials);
    request.caller = caller;
    const reauthentication = reauthenticationOf(caller, snapshot, takeSnapshot, () => app.authenticate(credentials));
    return { caller, reauthentication };
  };
  /** Holds the slot, unless another host is asked: it may take seconds. */
  const holding = async <Found>(request: Request, response: Response, find: () => Promise<Found>): Promise<Found> => {
    const found = (await app.waitsForKeys(credentialsOf(request)))
      ? admission.yieldWhile(response, find)
      : find().finally(admission.hold(response));
    return found.catch(recordIn(request));
  };
  return {
    identify: (request, response) => holding(request, response, () => app.authenticate(credentialsOf(request))),
    stateOfRead: (response, caller, id) => {
      const reauthentication = reauthenticationOf(caller, takeSnapshot(), takeSnapshot, async () => caller);
      return new RequestState({ app, caller, id, response, reauthentication });
    },
    authenticate: async (request, response, next) => {
      const found = await holding(request, response, () => authenticated(request));
      const noteWrite = (): void => {
        request.hasWritten = true;
      };
      request.state = new RequestState({ app, ...found, id: request.id, log: request.log, response, noteWrite });
      const { account } = request.state;
      rateLimit.count(account, response);
      await admission.assign(response, account);
      // Unless the client is gone, and the slot released.
      if (!response.destroyed) next();
    },
    slowBody: (read) => async (request, response) => {
      if (request.complete) return read(request, response);
      const body = await admission.yieldWhile(response, () => read(request, response));
      stateOf(request).authenticatedAgain(await authenticated(request));
      return body;
    },
  };
}

/** Logs the reason, never the credential. */
function recordRejection(problem: unknown, { log }: Request, metrics: Metrics): unknown {
  if (!(problem instanceof ServiceError)) return problem;
  if (problem.code === 'API_KEY_MISSING') metrics.credentialRejected('no credential');
  if (problem.code === 'RATE_LIMITED') metrics.rateLimited('invalid credentials');
  if (problem.code !== 'API_KEY_INVALID') return problem;
  const reason = rejectionReasonOf(problem);
  metrics.credentialRejected(reason);
  log.info({ reason }, 'credential rejected');
  return problem;
}

/** Waits for a slot. @throws ServiceError `UNAVAILABLE` when there is none in time. */
export function admit(admission: AdmissionControl): RequestHandler {
  return async (_request, response, next) => {
    await admission.acquire(response);
    next();
  };
}

export function stateOf(request: Request): RequestState {
  if (request.state === undefined) throw new Error('The request has not been authenticated.');
  return request.state;
}

/** Authenticates a caller again. `from`: the snapshot before the first authentication. */
export function reauthenticationOf(
  caller: Caller,
  from: Freshness,
  takeSnapshot: () => Freshness,
  authenticate: () => Promise<Caller>,
): Reauthentication {
  let snapshot = from;
  return {
    requireCurrent: async (isEnough = (now) => hasSamePermissions(caller, now)) => {
      if (snapshot.isCurrent()) return;
      const now = takeSnapshot();
      if (!isEnough(await authenticate())) throw accessChanged();
      snapshot = now;
    },
    mayHaveChanged: () => !snapshot.isCurrent(),
  };
}
