import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IdentityProvider, settingsFor } from '../support/credentials/identity-provider.ts';
import { startWithProvider } from '../support/credentials/with-provider.ts';
import { useDatabase } from '../support/database.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';
import { startBrowser } from './browser.ts';
import { button, field, signInWithKey, signOut } from './console.ts';

const database = useDatabase();
let browser: Browser;
let provider: IdentityProvider;
let server: TestServer;
let url: string;

beforeAll(async () => {
  browser = await startBrowser();
  ({ url, provider, server } = await startWithProvider(database));
});
afterAll(async () => {
  await browser.close();
  await server.close();
  await provider.close();
});

/** Signs in at the provider, from a screen of the console. */
async function signIn(context: BrowserContext, login: string, path = '/console'): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url + path);
  await page.getByRole('link', { name: 'Sign in with your university account' }).click();
  await field(page, 'Login').fill(login);
  await button(page, 'Go on').click();
  await page.getByRole('region', { name: 'Signed in' }).waitFor();
  return page;
}

describe('signing in with the account of the university', () => {
  it('keeps the address, and holds in a second tab, after a reload and a restart, until it ends in all tabs', async () => {
    const context = await browser.newContext();
    const page = await signIn(context, 'ada', '/console/programs?q=law');
    expect(page.url()).toBe(`${url}/console/programs?q=law`);
    await page.getByRole('region', { name: 'Signed in' }).getByText('Ada').waitFor();
    const second = await context.newPage();
    await second.goto(`${url}/console/branches`);
    await second.getByRole('region', { name: 'Signed in' }).getByText('editor').waitFor();

    await server.close();
    server = await startTestServer(settingsFor(url, provider.issuer), database);
    await page.reload();
    await page.getByRole('region', { name: 'Signed in' }).getByText('Ada').waitFor();
    expect(await page.evaluate<number>('localStorage.length')).toBe(0);
    expect(await page.evaluate<string>('document.cookie + JSON.stringify(sessionStorage)')).not.toContain('uas_');

    await signOut(second);
    // The provider asks whether to sign out there, too.
    await second.waitForURL(`${provider.issuer}/**`);
    await page.getByRole('heading', { name: 'Sign in', level: 2 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in', level: 2 }).waitFor();
    await context.close();
  });

  it('works in two tabs that begin it before either ends it, each of which ends where it was', async () => {
    const context = await browser.newContext();
    const tabs = [await context.newPage(), await context.newPage()] as const;
    const paths = ['/console/programs?q=law', '/console/branches'] as const;
    for (const [index, tab] of tabs.entries()) {
      await tab.goto(url + paths[index]);
      await tab.getByRole('link', { name: 'Sign in with your university account' }).click();
      await field(tab, 'Login').waitFor();
    }
    for (const [index, tab] of tabs.entries()) {
      await field(tab, 'Login').fill('ada');
      await button(tab, 'Go on').click();
      await tab.getByRole('region', { name: 'Signed in' }).waitFor();
      expect(tab.url()).toBe(url + paths[index]);
    }
    await context.close();
  });

  it('says why somebody without a role is not let in', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/console`);
    await page.getByRole('link', { name: 'Sign in with your university account' }).click();
    await field(page, 'Login').fill('ned');
    await button(page, 'Go on').click();
    await page.getByText('Your account has no role in this service.').waitFor();
    // Of the failure, nothing stays in the address, to which the next sign-in leads back.
    expect(page.url()).toBe(`${url}/console`);
    await context.close();
  });

  it('expires while a form is half filled, and what was typed stays while one signs in again, by account or key', async () => {
    const context = await browser.newContext();
    const page = await signIn(context, 'ada', '/console/programs/new');
    await field(page, 'Name').fill('Half a program');
    const expire = () => database.query(`UPDATE api_keys SET expires_at = now() WHERE kind = 'session'`, []);
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    // The dialog waits while a field has the focus.
    const open = () => page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click();

    await expire();
    await open();
    await dialog.getByRole('link', { name: 'Sign in with your university account' }).click();
    // The provider still knows the browser.
    await page.getByRole('region', { name: 'Signed in' }).waitFor();
    expect(await field(page, 'Name').inputValue()).toBe('Half a program');

    await field(page, 'Duration').fill('Half a year');
    await expire();
    await open();
    await dialog.getByLabel('API key').fill(adminKey);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await field(page, 'Name').inputValue()).toBe('Half a program');
    await button(page, 'Create program').click();
    await page.getByRole('heading', { name: 'Half a program' }).waitFor();
    await context.close();
  });

  it('lets people make a key for themselves, and end their other sessions', async () => {
    const context = await browser.newContext();
    const page = await signIn(context, 'vera', '/console/access');
    await page.getByRole('heading', { name: 'Your keys and sessions' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'this browser' }).getByText('Chrome on').waitFor();
    await button(page, 'Issue key').click();
    await field(page, /Purpose/).fill('notebook');
    const readOnly = page.getByRole('checkbox', { name: /^Read-only/ });
    expect(await readOnly.isChecked()).toBe(true);
    await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click();
    const secret = await page.getByRole('dialog').getByRole('region', { name: 'key' }).textContent();
    expect((await server.graphql('{ viewer { name readOnly } }', {}, secret)).body.data.viewer).toEqual({
      name: 'Vera',
      readOnly: true,
    });
    await context.close();
  });
});

describe('a page of another origin, in the browser of somebody who is signed in', () => {
  let evil: Server;
  let evilUrl: string;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    evil = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<a id="read" href="${url}/graphql?query={viewer{name}}">read</a><a id="export" href="${url}/export/catalog.csv">export</a>
        <form id="write" method="post" action="${url}/graphql" enctype="text/plain">
          <input name='{"query":"mutation{createProgram(input:{name:\\"Evil\\",duration:\\"1\\"}){id}}","x":"' value='"}'></form>`);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => evil.once('listening', resolve));
    // Of the same site, so that its requests have the cookie: SameSite alone would let them through.
    evilUrl = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
    context = await browser.newContext();
    page = await context.newPage();
    await page.goto(`${url}/`);
    await signInWithKey(page, adminKey);
  });
  afterAll(async () => {
    await context.close();
    evil.close();
  });

  const fromEvil = async <Result>(script: string): Promise<Result> => {
    await page.goto(evilUrl);
    return page.evaluate<Result>(script);
  };
  const programs = async () =>
    (await server.graphql('{ programsConnection { totalCount } }')).body.data.programsConnection.totalCount;

  it.each([
    [`fetch('URL/graphql', { method: 'POST', credentials: 'include', body: '{"query":"{viewer{name}}"}' })`],
    [`fetch('URL/graphql?query={viewer{name}}', { credentials: 'include' })`],
    [`fetch('URL/export/catalog.csv', { credentials: 'include' })`],
    [`fetch('URL/session', { method: 'DELETE', credentials: 'include' })`],
    [`fetch('URL/session', { method: 'POST', credentials: 'include', headers: { 'x-api-key': 'of the attacker' } })`],
    [`fetch('URL/graphql?query={viewer{name}}', { credentials: 'include', headers: { 'x-own-page': 'console' } })`],
  ])('reads and changes nothing by %s', async (script) => {
    const outcome = await fromEvil(`${script.replace('URL', url)}.then((r) => r.text(), () => 'failed')`);
    expect(outcome).toBe('failed');
  });

  it('reads nothing by a link', async () => {
    for (const link of ['#read', '#export']) {
      await page.goto(evilUrl);
      const [response] = await Promise.all([
        page.waitForResponse((each) => each.url().startsWith(url)),
        page.locator(link).click(),
      ]);
      // GraphiQL, a page without data, for a browser that asks for one.
      expect([response.status(), await response.text()].join(' ')).not.toContain('"name":"admin"');
      if (link === '#export') expect(response.status()).toBe(401);
    }
  });

  it('changes nothing by a form', async () => {
    const before = await programs();
    await page.goto(evilUrl);
    const [response] = await Promise.all([
      page.waitForResponse((each) => each.url() === `${url}/graphql`),
      page.evaluate(`document.querySelector('#write').submit()`),
    ]);
    await page.waitForURL(`${url}/graphql`);
    expect(response.status()).toBe(401);
    expect(await programs()).toBe(before);
  });

  it('opens no WebSocket', async () => {
    const address = `${url.replace('http', 'ws')}/graphql`;
    const outcome = await fromEvil(`new Promise((resolve) => {
      const socket = new WebSocket('${address}', 'graphql-transport-ws');
      socket.onopen = () => socket.send('{"type":"connection_init"}');
      socket.onmessage = ({ data }) => resolve(data);
      socket.onclose = ({ code }) => resolve(code);
    })`);
    expect(outcome).toBe(4403);
  });

  it('leaves the session of the browser as it is', async () => {
    await page.goto(`${url}/console`);
    await page.getByRole('region', { name: 'Signed in' }).getByText('admin').first().waitFor();
  });

  it('while our own page opens a WebSocket by the session', async () => {
    await page.goto(`${url}/`);
    const outcome = await page.evaluate(`new Promise((resolve) => {
      const socket = new WebSocket('/graphql', 'graphql-transport-ws');
      socket.onopen = () => socket.send('{"type":"connection_init"}');
      socket.onmessage = ({ data }) => resolve(data);
      socket.onclose = ({ code }) => resolve(code);
    })`);
    expect(outcome).toBe('{"type":"connection_ack"}');
  });
});
