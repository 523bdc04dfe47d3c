import express, { type Express } from 'express';
import { afterAll, beforeAll } from 'vitest';
import { type HttpServer, messageClassesFor, startHttpServer } from '../../src/server/server.ts';

/** Adds routes to an application. */
type Routes = (app: Express) => void;

/** A server of an Express application on a free port, as a service starts it, for all tests of a file; `/probe` is urgent. */
export function useTinyServer(routes: Routes): { readonly url: string } {
  let started: HttpServer | undefined;
  beforeAll(async () => {
    const app = express();
    app.disable('x-powered-by');
    app.disable('etag');
    routes(app);
    const address = { host: '127.0.0.1', port: 0, settings: { host: 'HOST', port: 'PORT' } };
    const messages = messageClassesFor(app, () => false);
    const isUrgent = ({ url }: { readonly url?: string | undefined }): boolean => url === '/probe';
    started = await startHttpServer(app, address, { messages, onError: () => undefined, isUrgent });
  });
  afterAll(() => started?.close());
  return {
    get url() {
      return started?.url ?? '';
    },
  };
}
