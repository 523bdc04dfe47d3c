import { ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { messageClassesFor, startHttpServer } from '../../src/server/server.ts';

async function prototypesAround(app: Express): Promise<readonly [before: unknown, after: unknown][]> {
  const seen: [before: unknown, after: unknown][] = [];
  app.get('/', (request, response) => {
    response.send(`${request.app === app} ${response.app === app} ${response instanceof ServerResponse}`);
  });
  const messages = messageClassesFor(app, () => false);
  const listener = await startHttpServer(
    (request, response) => {
      const before = [request, response].map(Object.getPrototypeOf);
      app(request, response);
      const after = [request, response].map(Object.getPrototypeOf);
      for (const [index, prototype] of before.entries()) seen.push([prototype, after[index]]);
    },
    { host: '127.0.0.1', port: 0, settings: { host: 'HOST', port: 'PORT' } },
    { messages, onError: () => undefined },
  );
  onTestFinished(() => listener.close());
  expect(await (await fetch(listener.url)).text()).toBe('true true true');
  return seen;
}

describe('message classes for Express', () => {
  it('keep their prototypes when Express handles a request', async () => {
    const [request, response] = await prototypesAround(express());
    expect(request?.[0]).toBe(request?.[1]);
    expect(response?.[0]).toBe(response?.[1]);
  });

  it('are separate for each application', async () => {
    await prototypesAround(express());
    await prototypesAround(express());
  });
});
