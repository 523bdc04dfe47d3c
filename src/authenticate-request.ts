import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Freshness } from '@service/change-log/epochs';
import { ServiceError } from '@service/errors';
import type { AdmissionControl } from '@service/http/admission';
import type { RateLimit } from '@service/http/rate-limit';
import { whenClosed } from '@service/http/send';
import type { RunInGroupCommit } from '@service/postgres/group-commit';
import type { Metrics } from '@service/telemetry/metrics';
import type { Tracing } from '@service/telemetry/tracing';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { CatalogFeed } from './academics/changes/catalog-feed.ts';
import { importForRequest } from './academics/import-export/http/upload.ts';
import type { ImportFile } from './academics/import-export/import/importer.ts';
import { type Authenticate, credentialsOf } from './accounts/authentication/authenticate.ts';
import { type CallerMonitor, hasSamePermissions } from './accounts/authentication/caller-monitor.ts';
import { rejectionReasonOf } from './accounts/authentication/errors.ts';
import { accountOf, type Caller } from './accounts/caller.ts';
import { cacheMissOf, type ReadResult } from './cache/response-cache.ts';
import type { Config } from './config.ts';
import { actorOf, createContext, type Reauthentication, type RequestContext } from './context.ts';
import { TransactionRestart } from './database/availability.ts';
import type { LongTransactions } from './database/prisma.ts';
import type { ChangeMonitor, Database } from './database/types.ts';

declare global {
  namespace Express {
    interface Request {
      caller?: Caller;
    }
  }
}

interface AuthenticationOptions {
  readonly config: Pick<Config, 'OWN_KEYS'>;
  readonly db: Database;
  readonly longTransactions: Pick<LongTransactions, 'db'>;
  readonly runInGroupCommit: RunInGroupCommit;
  readonly importFile: ImportFile;
  readonly changes: ChangeMonitor;
  readonly authenticate: Authenticate;
  readonly callers: CallerMonitor;
  readonly rateLimit: RateLimit;
  readonly feed: CatalogFeed;
  readonly admission: AdmissionControl;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly tracing: Tracing | undefined;
}

type BodyReader<Body> = (request: Request, response: Response) => Promise<Body>;

interface RequestAuthentication {
  /** The caller of a request; rejections are logged and counted. */
  readonly identify: (request: Request) => Promise<Caller>;
  readonly authenticate: RequestHandler;
  /** For a read of a caller that has been authenticated. */
  readonly readContextOf: (request: IncomingMessage, response: ServerResponse, caller: Caller) => RequestContext;
  /** For slow senders: yields the admission slot while the body arrives, and authenticates again afterwards. */
  readonly slowBody: <Body>(read: BodyReader<Body>) => BodyReader<Body>;
}

/** Authenticates requests and makes their contexts, before their handlers. */
export function authenticateRequest(options: AuthenticationOptions): RequestAuthentication {
  const { rateLimit, admission, metrics, log, changes } = options;
  const recordIn =
    (request: Request) =>
    (problem: unknown): never => {
      throw recordRejection(problem, request, metrics);
    };
  return {
    identify: (request) => options.authenticate(credentialsOf(request)).catch(recordIn(request)),
    readContextOf: ({ headers }, response, caller) => {
      const takeSnapshot = (): Freshness => changes.snapshot('access');
      const reauthentication = reauthenticationOf(caller, takeSnapshot(), takeSnapshot, async () => caller);
      return contextFor({ request: { id: '', log, headers }, response, caller, reauthentication }, options);
    },
    authenticate: async (request, response, next) => {
      const release = admission.hold(response);
      const caller = await authenticated(request, response, options).catch(recordIn(request)).finally(release);
      // Its slot has been released.
      if (response.destroyed) return;
      rateLimit.count(accountOf(caller), response);
      next();
    },
    slowBody: (read) => async (request, response) => {
      if (request.complete) return read(request, response);
      const body = await admission.yieldWhile(response, () => read(request, response));
      await authenticated(request, response, options);
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

/** Contexts by response: Express's `locals` are untyped. */
const contexts = new WeakMap<Response, RequestContext>();

/** The context of an authenticated request. */
export function contextOf(response: Response): RequestContext {
  const context = contexts.get(response);
  if (context === undefined) throw new Error('The request has not been authenticated.');
  return context;
}

async function authenticated(request: Request, response: Response, options: AuthenticationOptions): Promise<Caller> {
  const { changes, authenticate } = options;
  const credentials = credentialsOf(request);
  const takeSnapshot = (): Freshness => changes.snapshot('access');
  const snapshot = takeSnapshot();
  const caller = await authenticate(credentials);
  request.caller = caller;
  const reauthentication = reauthenticationOf(caller, snapshot, takeSnapshot, () => authenticate(credentials));
  const readResult = cacheMissOf(request, caller)?.readResult;
  contexts.set(response, contextFor({ request, response, caller, reauthentication, readResult }, options));
  return caller;
}

const outdated = 'Users or keys have just changed. Please try again.';

/** Authenticates a caller again. `from`: the snapshot before the first authentication. */
export function reauthenticationOf(
  caller: Caller,
  from: Freshness,
  takeSnapshot: () => Freshness,
  authenticate: () => Promise<Caller>,
): Reauthentication {
  let snapshot = from;
  return {
    requireCurrent: async () => {
      if (!snapshot.hasChanged()) return;
      const now = takeSnapshot();
      if (!hasSamePermissions(caller, await authenticate())) throw new TransactionRestart('UNAVAILABLE', outdated);
      snapshot = now;
    },
    begin: () => {
      if (snapshot.hasChanged()) throw new TransactionRestart('UNAVAILABLE', outdated);
    },
  };
}

interface Authenticated {
  readonly request: Pick<Request, 'id' | 'log' | 'headers' | 'hasWritten'>;
  readonly response: ServerResponse;
  /** Of a read that the fast path has executed. */
  readonly readResult?: Promise<ReadResult> | undefined;
  readonly caller: Caller;
  readonly reauthentication: Reauthentication;
}

function contextFor(
  { request, response, caller, reauthentication, readResult }: Authenticated,
  options: AuthenticationOptions,
): RequestContext {
  const { db, runInGroupCommit, changes, feed, admission, metrics, tracing } = options;
  const { id: requestId, log } = request;
  const lastEventId = request.headers['last-event-id']?.toString();
  const onClosed: RequestContext['onClosed'] = (release) => whenClosed(response, release);
  const onCommit = (): void => {
    request.hasWritten = true;
  };
  const subscribe: RequestContext['subscribe'] = async (wanted) => {
    const events = await feed.subscribe({ ...wanted, caller, lastEventId });
    // Nothing else ends the iterator if the response is never read.
    onClosed(() => void events.return?.());
    return events;
  };
  const importFile: RequestContext['importFile'] = (file) =>
    importForRequest(file, {
      importFile: options.importFile,
      caller,
      callers: options.callers,
      actor: actorOf({ caller, requestId }),
      changes,
      reauthentication,
      onClosed,
      onCommit,
    });
  // A failed poll disables the caches until the next one succeeds.
  const catchUp: RequestContext['catchUp'] = async () => void (await changes.refresh().catch(() => undefined));
  // It may take minutes, in which nothing is sent. With its next request, the connection has the server's timeout again.
  const longTransactions: typeof options.longTransactions = {
    db: () => {
      response.req.setTimeout(0);
      return options.longTransactions.db();
    },
  };
  const holdSlot = (): (() => void) => admission.hold(response);
  return createContext({
    request: {
      caller,
      requestId,
      log,
      readResult,
      metrics,
      tracing,
      lastEventId,
      subscribe,
      pullChanges: feed.pull,
      onClosed,
      holdSlot,
      catchUp,
      ownKeys: options.config.OWN_KEYS,
      importFile,
    },
    db,
    longTransactions,
    runInGroupCommit,
    changes,
    reauthentication,
    onCommit,
    isOver: () => response.writableEnded,
  });
}
