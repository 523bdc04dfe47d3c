import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../../support/factories.ts';
import { adminKey, useServer } from '../../support/server.ts';
import { openPage, screens, startBrowser } from '../browser.ts';
import { button, field, openConsole, programLinks, signOut, started } from '../console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const typedKey = 'API key or token';
const screenLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true });

describe('Enter at the sign-in, as soon as the field is there', () => {
  it.each(Array.from({ length: 8 }, (_, round) => round))(
    'is never lost, neither in the empty field nor behind a key: round %i',
    async () => {
      const { page, close } = await openPage(browser, `${server.url}/livez`, screens[0]);
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      await page.goto(`${server.url}/console`, { waitUntil: 'commit' });
      await field(page, typedKey).waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Paste a key or a token first.').waitFor({ timeout: 10_000 });

      await page.goto(`${server.url}/console`, { waitUntil: 'commit' });
      await field(page, typedKey).waitFor();
      await page.keyboard.insertText(adminKey);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Overview' }).waitFor({ timeout: 10_000 });
      await close();
    },
  );
});

describe('a screen that is opened for the first time while the service is away', () => {
  it('says so inside the shell, and opens by itself once the service is back', async () => {
    const { page, context, close } = await openConsole(browser, server.url, '/programs');
    await started(page);
    await context.setOffline(true);
    await screenLink(page, 'Audit log').click();
    await page.getByRole('main').getByText('This could not be shown').waitFor({ timeout: 10_000 });
    await screenLink(page, 'Programs').waitFor();
    await button(page, 'Try again').click();
    await screenLink(page, 'Programs').waitFor();

    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await page.getByRole('table', { name: 'Entries' }).or(page.getByText('No entry matches')).waitFor();
    await close();
  });

  it('leaves the other screens as they are, and opens when it is opened again later', async () => {
    const { page, context, close } = await openConsole(browser, server.url, '/programs');
    await started(page);
    await context.setOffline(true);
    await screenLink(page, 'Trash').click();
    await page.getByText('This could not be shown').waitFor({ timeout: 10_000 });
    await screenLink(page, 'Programs').click();
    await page.getByRole('heading', { name: 'Programs' }).waitFor();
    await context.setOffline(false);
    await screenLink(page, 'Trash').click();
    await page.getByRole('heading', { name: 'Trash' }).waitFor();
    await close();
  });

  it('opens too when the service has a newer version, whose files have other names', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs');
    await started(page);
    let isOld = true;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isOld = false;
    });
    await page.route('**/assets/trash-screen-*.js', (route) =>
      isOld ? route.fulfill({ status: 404 }) : route.fallback(),
    );
    await screenLink(page, 'Trash').click();
    await page.getByText('This could not be shown').waitFor({ timeout: 10_000 });
    await page.getByRole('heading', { name: 'Trash' }).waitFor();
    await close();
  });

  it('does not keep the command palette away', async () => {
    const { page, context, close } = await openConsole(browser, server.url, '/programs');
    await started(page);
    await context.setOffline(true);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    await close();
  });
});

describe('a list that is opened for the first time while the service is away', () => {
  it('says so in its place, and is there by itself once the service is back', async () => {
    const make = factoriesFor(server);
    await make.branch((await make.program()).id, { name: 'Botany' });
    const { page, context, close } = await openConsole(browser, server.url, '/programs');
    await programLinks(page).first().waitFor();
    // Its files are loaded once the pointer is on the link.
    const files = page.waitForResponse(/branches-screen-.*\.js/);
    await screenLink(page, 'Branches').hover();
    await (await files).finished();
    await context.setOffline(true);
    await screenLink(page, 'Branches').click();
    await page
      .getByRole('main')
      .getByText('It appears by itself once the service is back.')
      .waitFor({ timeout: 15_000 });

    await context.setOffline(false);
    await page.getByRole('grid', { name: 'Branches' }).getByRole('link', { name: 'Botany' }).waitFor();
    expect(await page.getByText('It appears by itself once the service is back.').count()).toBe(0);
    await close();
  });
});

describe('an edit', () => {
  it('of a program is there again after a click on another screen, and after a reload', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Glaciology', duration: '2 Years' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    await button(page, 'Edit program').click();
    await field(page, 'Duration').fill('5 Years');
    await screenLink(page, 'Programs').click();
    await programLinks(page).first().waitFor();
    await page.goBack();
    await expect.poll(() => field(page, 'Duration').inputValue()).toBe('5 Years');
    await page.reload();
    await expect.poll(() => field(page, 'Duration').inputValue()).toBe('5 Years');
    expect(await field(page, 'Name').inputValue()).toBe('Glaciology');

    await button(page, 'Save').click();
    await page.getByText('Glaciology was saved.').waitFor();
    await page.reload();
    await button(page, 'Edit program').click();
    expect(await field(page, 'Duration').inputValue()).toBe('5 Years');
    await field(page, 'Duration').fill('6 Years');
    const question = page.getByRole('alertdialog', { name: 'Close this without saving what you have typed?' });
    await button(page, 'Cancel').click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await field(page, 'Duration').inputValue()).toBe('6 Years');
    await button(page, 'Cancel').click();
    await question.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await button(page, 'Edit program').click();
    expect(await field(page, 'Duration').inputValue()).toBe('5 Years');
    await close();
  });

  it('that was left is compared with what somebody else has saved meanwhile', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Limnology', duration: '2 Years' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    await button(page, 'Edit program').click();
    await field(page, 'Duration').fill('5 Years');
    await screenLink(page, 'Trash').click();
    await page.getByRole('heading', { name: 'Trash' }).waitFor();
    await server.graphql('mutation ($id: Int!) { updateProgram(id: $id, input: { duration: "4 Years" }) { id } }', {
      id,
    });
    await page.goto(`${server.url}/console/programs/${id}`);
    const both = page.getByRole('group', { name: 'Duration' });
    await both.getByText('4 Years').waitFor();
    await both.getByText('5 Years').waitFor();
    await close();
  });

  it('of a branch is there again', async () => {
    const make = factoriesFor(server);
    const { id } = await make.branch((await make.program({ name: 'Volcanology' })).id, { name: 'Lava' });
    const { page, close } = await openConsole(browser, server.url, `/branches/${id}`);
    await button(page, 'Edit branch').click();
    await field(page, 'Description').fill('Hot');
    await screenLink(page, 'Trash').click();
    await page.getByRole('heading', { name: 'Trash' }).waitFor();
    await page.goBack();
    await expect.poll(() => field(page, 'Description').inputValue()).toBe('Hot');
    await close();
  });
});

describe('forms that were left', () => {
  it('are listed until they are saved or given up, each with a link that opens it', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Palynology' });
    const { page, close } = await openConsole(browser, server.url, '/programs/new');
    const left = page.getByRole('region', { name: 'Messages' }).getByRole('link');
    await field(page, 'Name').fill('Half a program');
    expect(await left.count()).toBe(0);
    await page.goto(`${server.url}/console/programs/${id}`);
    await button(page, 'Add branch').click();
    await field(page, 'Name').fill('Half a branch');
    await button(page, 'Copy program').click();
    const copy = page.getByRole('dialog', { name: 'Copy a program with its branches' });
    await copy.getByRole('textbox', { name: /^Code/ }).fill('HALF');
    await page.goto(`${server.url}/console/trash`);
    await expect
      .poll(() => left.allInnerTexts())
      .toEqual(['New branch of Palynology', 'Copy of Palynology', 'New program']);

    await signOut(page);
    const question = page.getByRole('alertdialog');
    await question.getByRole('link', { name: 'New program' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await field(page, 'Name').inputValue()).toBe('Half a program');
    await button(page, 'Cancel').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await field(page, 'Name').inputValue()).toBe('Half a program');
    await button(page, 'Cancel').click();
    await button(page, 'Close').click();
    await left.getByText('Copy of').click();
    expect(await copy.getByRole('textbox', { name: /^Code/ }).inputValue()).toBe('HALF');
    await copy.getByRole('button', { name: 'Cancel' }).click();
    await button(page, 'Close').click();
    expect(await field(page, 'Name').inputValue()).toBe('Half a branch');
    expect(await left.count()).toBe(0);
    await close();
  });
});

describe('a session that was ended', () => {
  it('is said to have ended when the page is loaded again, and neither before a sign-in nor after signing out', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs');
    await started(page);
    const ended = page.getByText('Your session has ended: it expired, or somebody ended it.');
    await page.request.delete(`${server.url}/session`, { headers: { 'sec-fetch-site': 'same-origin' } });
    await page.reload();
    await ended.waitFor();
    await field(page, typedKey).fill(adminKey);
    await page.keyboard.press('Enter');
    await started(page);
    await signOut(page);
    await field(page, typedKey).waitFor();
    expect(await ended.count()).toBe(0);
    await close();
  });
});

describe('signing out', () => {
  it('leaves nothing of what was typed in the tab', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Odontology' });
    const { page, close } = await openConsole(browser, server.url, '/programs/new');
    await field(page, 'Name').fill('A secret plan');
    await page.goto(`${server.url}/console/programs/${id}`);
    await button(page, 'Edit program').click();
    await field(page, 'Duration').fill('A secret plan');
    const question = page.getByRole('alertdialog', { name: 'What you have typed and not saved is lost. Sign out?' });
    await signOut(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await field(page, 'Duration').inputValue()).toBe('A secret plan');
    await signOut(page);
    await question.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toMatch(/secret|draft|api-key/);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toMatch(/secret|draft|api-key/);
    await close();
  });

  it('leaves nothing of what was done, such as its Undo, to who signs in next', async () => {
    const { id } = await factoriesFor(server).program({ name: 'Pomology' });
    const { page, close } = await openConsole(browser, server.url, `/programs/${id}`);
    await button(page, 'Delete program').click();
    await button(page, 'Undo').waitFor();
    await signOut(page);
    await field(page, 'API key or token').fill(await server.makeKey({ role: 'editor', user: 'A successor' }));
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Signed in' }).getByText('A successor').waitFor();
    expect(await button(page, 'Undo').count()).toBe(0);
    await close();
  });
});

describe('a dialog', () => {
  it('is closed by a press outside of it, and by none that begins inside', async () => {
    const { page, close } = await openConsole(browser, server.url, '/access');
    await button(page, 'Issue key').click();
    const dialog = page.getByRole('dialog', { name: 'Issue a key' });
    const { x, y, width, height } = (await dialog.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.click(x + 4, y + 4);
    const purpose = (await field(page, /Purpose/).boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(purpose.x + 9, purpose.y + 9);
    await page.mouse.down();
    await page.mouse.move(x + width + 60, purpose.y + 9);
    await page.mouse.up();
    expect(await dialog.count()).toBe(1);

    await page.mouse.click(x + width + 60, y + height / 2);
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Issue key');
    await close();
  });

  it('asks before Escape or a press outside of it loses what was typed', async () => {
    const { page, close } = await openConsole(browser, server.url, '/access');
    await button(page, 'Issue key').click();
    const dialog = page.getByRole('dialog', { name: 'Issue a key' });
    const question = page.getByRole('alertdialog', { name: 'Close this without saving what you have typed?' });
    const leaves = [
      () => page.keyboard.press('Escape'),
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(4, 4),
    ];
    await field(page, /Purpose/).fill('Laptop');
    for (const leave of leaves) {
      await leave();
      await question.waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      await dialog.waitFor();
      expect(await field(page, /Purpose/).inputValue()).toBe('Laptop');
    }
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Issue key');
    await close();
  });

  it('dims the whole window, the strip of the scrollbar too', async () => {
    const { page, close } = await openConsole(browser, server.url, '/access');
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
    await button(page, 'Issue key').click();
    await page.getByRole('dialog', { name: 'Issue a key' }).waitFor();
    const colourAt = async (x: number): Promise<number[]> => {
      const png = await page.screenshot({ clip: { x, y: 10, width: 1, height: 1 } });
      const blank = await browser.newPage();
      const colour = await blank.evaluate<number[], string>(
        async (source) => {
          const image = new Image();
          image.src = source;
          await image.decode();
          const context = document.createElement('canvas').getContext('2d');
          context?.drawImage(image, 0, 0);
          return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
        },
        `data:image/png;base64,${png.toString('base64')}`,
      );
      await blank.close();
      return colour;
    };
    const [width, bodyWidth] = await page.evaluate<[number, number]>('[innerWidth, document.body.clientWidth]');
    expect(bodyWidth).toBeLessThan(width);
    const [inside, strip] = [await colourAt(bodyWidth - 4), await colourAt(width - 4)];
    expect(inside).not.toEqual([255, 255, 255, 255]);
    for (const [index, part] of strip.entries()) expect(Math.abs(part - (inside[index] ?? 0))).toBeLessThan(3);
    await close();
  });
});
