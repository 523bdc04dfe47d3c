import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startBrowser } from '../../browser/browser.ts';
import { button, field } from '../../browser/console.ts';
import { settingsFor, startIdentityProvider } from '../../support/credentials/identity-provider.ts';
import { freePort } from '../../support/process.ts';
import { adminKey, serverForTest } from '../../support/server.ts';
import { startProxy } from './nginx.ts';

vi.setConfig({ testTimeout: 120_000 });

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** What nginx does with the prefix, and how deploy/nginx.conf is changed for that. */
const proxies = [
  ['passes it on', (text: string) => text.replace('location / {', 'location /catalog/ {')],
  [
    'removes it',
    (text: string) => text.replace('location / {', 'location /catalog/ {\n      rewrite ^/catalog(/.*)$ $1 break;'),
  ],
] as const;

describe.each(proxies)('behind an nginx that serves other things at / and %s', (_what, change) => {
  it('the pages, the console with its sign-in, GraphiQL and WebSockets work below the path', async () => {
    const url = `http://127.0.0.1:${await freePort()}/catalog`;
    const provider = await startIdentityProvider(url);
    onTestFinished(() => provider.close());
    const port = await freePort();
    const server = await serverForTest({
      ...settingsFor(url, provider.issuer),
      PORT: String(port),
      TRUSTED_PROXY_HOPS: '1',
    });
    await server.make.program({ name: 'Comparative Law' });
    await startProxy(Number(new URL(url).port), [port, port], change);

    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const astray: string[] = [];
    page.on('request', (request) => {
      const address = request.url();
      if (new URL(address).origin === new URL(url).origin && !/^\/catalog(?:\/|$)/.test(new URL(address).pathname))
        astray.push(address);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) astray.push(`${response.status()} ${response.url()}`);
    });
    page.on('pageerror', (error) => astray.push(error.message));

    await page.goto(url);
    expect(page.url()).toBe(`${url}/`);
    await page.getByText('ready', { exact: true }).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Docs' }).click();
    await page.getByRole('link', { name: 'Recipes' }).first().click();
    await page.getByRole('heading', { name: 'Recipes' }).waitFor();
    expect(page.url()).toBe(`${url}/docs/recipes`);
    await page.getByText(`${url}/graphql`).first().waitFor();
    await search(page, 'idempotency');

    await page.goto(`${url}/console/programs?q=law`);
    await page.getByRole('link', { name: 'Sign in with your university account' }).click();
    await field(page, 'Login').fill('ada');
    await button(page, 'Go on').click();
    await page.getByRole('link', { name: 'Comparative Law' }).waitFor();
    expect(page.url()).toBe(`${url}/console/programs?q=law`);
    // The provider has its own, on the same host.
    const cookies = (await context.cookies(url)).filter(({ name }) => name.startsWith('academic-structure'));
    expect(cookies.map(({ name, path }) => [name, path])).toEqual([['academic-structure-session', '/catalog']]);
    await page.getByRole('link', { name: 'Comparative Law' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Comparative Law' }).waitFor();
    await page.keyboard.press('Tab');

    await page.goto(`${url}/graphql`);
    await vi.waitFor(
      async () => {
        await page.getByRole('button', { name: /^Execute/ }).click();
        await page.getByLabel('Result Window').getByText('Comparative Law').first().waitFor({ timeout: 2_000 });
      },
      { timeout: 30_000 },
    );
    const acknowledged = await page.evaluate(`new Promise((resolve) => {
      const socket = new WebSocket('graphql', 'graphql-transport-ws');
      socket.onopen = () => socket.send('{"type":"connection_init"}');
      socket.onmessage = ({ data }) => resolve(data);
      socket.onclose = ({ code }) => resolve(code);
    })`);
    expect(acknowledged).toBe('{"type":"connection_ack"}');
    expect(astray).toEqual([]);

    await page.goto(`${url}/no/such/page`);
    await page.getByRole('link', { name: 'Front page' }).click();
    expect(page.url()).toBe(`${url}/`);
    const created = await fetch(`${url}/v1/api/academics/programs`, {
      method: 'POST',
      headers: { 'x-api-key': adminKey, 'content-type': 'application/json', 'idempotency-key': 'one' },
      body: JSON.stringify({ name: 'Maritime Law', duration: '2 Years' }),
    });
    const location = new URL(created.headers.get('location') ?? '', url);
    expect(location.href).toMatch(`${url}/v1/api/academics/programs/`);
    expect((await fetch(location, { headers: { 'x-api-key': adminKey } })).status).toBe(200);
  });
});

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search the docs' }).fill(text);
  await page.getByRole('list', { name: 'Search results' }).getByRole('link').first().waitFor();
}
