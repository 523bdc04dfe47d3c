import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { useServer } from '../support/server.ts';
import { expectUsable, startBrowser } from './browser.ts';
import { button, field, openConsole } from './console.ts';

const server = useServer();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const inGerman = { width: 1280, height: 800, colorScheme: 'light', locale: 'de-AT' } as const;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

describe('in German, which the browser prefers,', () => {
  it('a program is created, found, changed and deleted with its branches, and comes back', async () => {
    const { page, problems, close } = await openConsole(browser, server.url, '/programs', { screen: inGerman });
    await heading(page, 'Studiengänge').waitFor();
    expect(await page.evaluate<string>('document.documentElement.lang')).toBe('de');
    expect(await page.title()).toBe('Studiengänge · Academic Structure');

    await page.getByRole('link', { name: 'Neuer Studiengang' }).click();
    await field(page, /^Name/).fill('Ägyptologie');
    await button(page, 'Studiengang anlegen').click();
    await page.getByText('Dieses Feld darf nicht leer sein.').waitFor();
    await field(page, /^Name/).fill('Ä'.repeat(256));
    await field(page, /^Dauer/).fill('3 Jahre');
    await button(page, 'Studiengang anlegen').click();
    await page.getByText('Höchstens 255 Zeichen sind möglich.').waitFor();
    await field(page, /^Name/).fill('Ägyptologie');
    await button(page, 'Studiengang anlegen').click();
    await heading(page, 'Ägyptologie').waitFor();
    await page.getByText('Ägyptologie wurde angelegt.').waitFor();

    await button(page, 'Fachrichtung hinzufügen').click();
    await field(page, /^Name/).fill('Koptologie');
    // As many as the duration says.
    expect(await field(page, /^Jahre/).inputValue()).toBe('3');
    await button(page, 'Fachrichtung anlegen').click();
    await page.getByText('Koptologie wurde angelegt.').waitFor();

    await button(page, 'Studiengang bearbeiten').click();
    await field(page, /^Code/).fill('ÄGY');
    await button(page, 'Speichern').click();
    const history = page.getByRole('region', { name: 'Verlauf' });
    await history.getByText('admin hat „Code“ geändert').waitFor();
    await history.getByText('admin hat die Fachrichtung Koptologie angelegt').waitFor();

    await page.getByRole('link', { name: 'Studiengänge' }).first().click();
    await page.getByRole('searchbox', { name: 'Suche' }).fill('agyptologie');
    await page.waitForURL(/q=agyptologie/);
    await page.getByText('1 Studiengang', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Ägyptologie auswählen' }).click();
    await button(page, 'Löschen').click();
    await page.getByText(/^1 Studiengang wird gelöscht mit 1 Fachrichtung/).waitFor();
    await button(page, '1 Studiengang löschen').click();
    await page.getByText('1 Studiengang wurde gelöscht.').waitFor();
    await button(page, 'Rückgängig').click();
    await page.getByText(/^Rückgängig gemacht: .*hat 1 Studiengang und 1 Fachrichtung gelöscht/).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it('a file is checked and imported', async () => {
    const { page, close } = await openConsole(browser, server.url, '/transfer', { screen: inGerman });
    const csv = 'Studiengang;Dauer;Fachrichtung;Jahre\nSinologie;3 Jahre;Altchinesisch;3\n;3 Jahre;Neuchinesisch;3\n';
    const file = { name: 'fächer.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await page.getByLabel('Datei wählen').setInputFiles(file);
    await page.getByText('Nichts wird importiert, bis Sie sie berichtigen oder überspringen.').waitFor();
    await page.getByText('Studiengang: Dieses Feld darf nicht leer sein.').waitFor();
    await page.getByText('Fehlerhafte Zeilen überspringen').click();
    await page.getByText('2 neu, 0 geändert, 0 unverändert.').waitFor();
    await button(page, 'fächer.csv importieren').click();
    await page.getByText('fächer.csv wurde importiert.').waitFor();
    await page.getByText(/^admin hat fächer.csv: 1 Studiengang und 1 Fachrichtung .*importiert/).waitFor();
    await close();
  });

  it('another language is chosen in the menu, for good, and only its catalog is loaded', async () => {
    const { page, close } = await openConsole(browser, server.url, '/programs', { screen: inGerman });
    await heading(page, 'Studiengänge').waitFor();
    await page.getByRole('region', { name: 'Angemeldet' }).getByRole('button').first().click();
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('Français');
    await heading(page, 'Formations').waitFor();
    await page.reload();
    await heading(page, 'Formations').waitFor();
    const catalogs = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').flatMap(({ name }) => /assets.(en|de|fr|es)-/.exec(name)?.[1] ?? [])`,
    );
    expect([...new Set(catalogs)]).toEqual(['fr']);
    await close();
  });
});

/** Turns a page round, as a catalog of a language that is written from right to left does. */
const turn = (page: Page) => page.evaluate(`document.documentElement.dir = 'rtl'`);

describe('written from right to left', () => {
  it.each(['', '/programs', '/programs/new', '/transfer', '/access', '/audit'])(
    'a screen is whole, and the navigation at its right: /console%s',
    async (path) => {
      await factoriesFor(server).program({ name: 'علوم الحاسوب' });
      const { page, close } = await openConsole(browser, server.url, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await turn(page);
      await expectUsable(page);
      const { x = 0 } = (await page.getByRole('navigation', { name: 'Console' }).boundingBox()) ?? {};
      expect(x).toBeGreaterThan(1_000);
      await close();
    },
  );

  it('arrow keys, menus and the record beside the list have the other side', async () => {
    const name = 'Right to left';
    await factoriesFor(server).program({ name, code: 'RTL' });
    const { page, close } = await openConsole(browser, server.url, '/programs?q=right+to+left');
    await page.getByRole('link', { name }).waitFor();
    await turn(page);
    await page.getByRole('link', { name }).focus();
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate<string>('document.activeElement.closest("td").textContent')).toBe('RTL');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('j');
    const { x = 1 } = (await page.getByRole('region', { name: 'The program beside the list' }).boundingBox()) ?? {};
    expect(x).toBe(0);

    await button(page, '+ Filter').click();
    const popup = (await page.getByRole('dialog', { name: '+ Filter' }).boundingBox()) ?? { x: -1, width: 0 };
    const opener = (await button(page, '+ Filter').boundingBox()) ?? { x: 0, width: 0 };
    expect(Math.abs(popup.x + popup.width - opener.x - opener.width)).toBeLessThan(2);
    await close();
  });
});

it.each([
  ['its language', '**/assets/de-*.js'],
  ['the console itself', '**/assets/app-*.js'],
])('a page without the file of %s says so in English, too, and loads again', async (_, file) => {
  const { page, close } = await openConsole(browser, server.url, '', { screen: inGerman });
  await heading(page, 'Übersicht').waitFor();
  await page.route(file, (route) => route.abort());
  await page.reload();
  await page.getByText('The console could not be loaded.').waitFor();
  await page.unroute(file);
  await button(page, 'Erneut versuchen').click();
  await heading(page, 'Übersicht').waitFor();
  await close();
});
