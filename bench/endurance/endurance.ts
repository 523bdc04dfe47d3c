import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { median } from '../median.ts';
import { adminKey, type ServerProcess, startEmbeddedService } from '../processes.ts';
import { changeCatalog, fillCatalog } from './catalog.ts';
import { programOf, shown, wrongOf } from './shown.ts';
import { startTyping, type Typist } from './typing.ts';

const programs = 3_000;
const changesPerSecond = 10;
const minuteMs = 60_000;
/** A page shows what the database has this long after the last change. */
const settledWithinMs = 15_000;
/** Longer than a page waits for the heartbeat of a connection. */
const outageMs = 60_000;
/**
 * A figure is flat when its median in the last quarter is at most this much above that in the second, in which each page
 * shows its first message: that adds some hundred listeners, once.
 */
const growthMax = 1.1;

interface Tab {
  readonly name: string;
  readonly page: Page;
  readonly session: CDPSession;
  readonly samples: Sample[];
}

interface Sample {
  readonly megabytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** What may be added to small counts. */
const slackOf = { megabytes: 0, nodes: 20, listeners: 20 };

type Say = (text: string) => void;

/**
 * Keeps the pages of the console open under ten changes a second, and reports memory after garbage collection every
 * two minutes. On the way the service is killed and started again, the network is cut, the pages are frozen, the browser
 * is stopped for a minute as by a laptop that sleeps.
 *
 * @returns the faults: a page that does not show what the database has, text that is lost while one types, memory that
 * grows.
 */
export async function endure(minutes: number, say: Say): Promise<readonly string[]> {
  const parent = await mkdtemp(join(tmpdir(), 'endurance-'));
  // When run as root, PostgreSQL runs as another user, which needs access.
  await chmod(parent, 0o755);
  const dataDir = join(parent, 'data');
  const server = await chromium.launchServer({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const service = { current: await startEmbeddedService(dataDir) };
  const browser = await chromium.connect(server.wsEndpoint(), { timeout: 0 });
  const { pid: browserPid = 0 } = server.process();
  try {
    return await run({ minutes, say, browser, browserPid, service, dataDir });
  } finally {
    await server.kill();
    await service.current.stop();
    const home = await realpath(join(dataDir, 'postgres')).catch(() => dataDir);
    for (const folder of [home, parent]) await rm(folder, { recursive: true, force: true });
  }
}

interface Run {
  readonly minutes: number;
  readonly say: Say;
  readonly browser: Browser;
  readonly browserPid: number;
  readonly service: { current: ServerProcess };
  readonly dataDir: string;
}

async function run(given: Run): Promise<string[]> {
  const { minutes, say, service } = given;
  const { url } = service.current;
  await fillCatalog(url, programs);
  const tabs = await openTabs(given.browser, url);
  const typists = await startTypists(tabs, url);
  const faults: string[] = [];
  const changes = changeCatalog(url, 1_000 / changesPerSecond);
  const began = performance.now();
  const passed = (share: number): boolean => performance.now() - began > share * minutes * minuteMs;
  const outages = outagesOf(given, tabs);
  const sampleEveryMs = Math.min(2, minutes / 8) * minuteMs;
  say(['minute', 'changes', ...tabs.map(({ name }) => `${name} (MB, nodes, listeners)`)].join('\t'));
  while (!passed(1)) {
    await delay(sampleEveryMs);
    const outage = outages.find(({ at, happened }) => !happened && passed(at));
    if (outage !== undefined) {
      outage.happened = true;
      say(`${minutesSince(began)}\t${outage.name}`);
      await outage.happen();
    }
    for (const typist of typists) faults.push(...(await typist.save(`minute ${minutesSince(began)}`)));
    await changes.pause();
    faults.push(...(await differences(url, tabs, `minute ${minutesSince(began)}`)));
    for (const tab of tabs) tab.samples.push(await sampleOf(tab.session));
    const figures = tabs.map(({ samples }) => samples.at(-1)).map((s) => `${s?.megabytes} ${s?.nodes} ${s?.listeners}`);
    say([minutesSince(began), `${changes.count()} (${changes.failed()} failed)`, ...figures].join('\t'));
    changes.resume();
  }
  await changes.pause();
  for (const { name, samples } of tabs) {
    const quarter = Math.floor(samples.length / 4);
    for (const figure of ['megabytes', 'nodes', 'listeners'] as const) {
      const values = samples.map((sample) => sample[figure]);
      const [early, late] = [median(values.slice(quarter, 2 * quarter)), median(values.slice(-quarter))];
      say(`${name}: ${figure} ${early} in the second quarter, ${late} in the last`);
      if (late > early * growthMax + slackOf[figure])
        faults.push(`The ${figure} of ${name} grow from ${early} to ${late}.`);
    }
  }
  say(`${changes.count()} changes; ${changes.failed()} of them failed while the service was down.`);
  return faults;
}

const minutesSince = (began: number): string => ((performance.now() - began) / minuteMs).toFixed(1);

/** With columns that change, and one that only the typist changes. */
const list = '/programs?columns=name,duration,attributes.level,code';
const formName = 'a form';
const cellName = 'a cell, in German';

async function openTabs(browser: Browser, url: string): Promise<Tab[]> {
  const paths = {
    overview: '',
    programs: list,
    'programs, far down': list,
    branches: '/branches',
    program: '/programs/1',
    changes: '/changes',
    notes: '/notes',
    [formName]: '/programs/2',
    [cellName]: list,
  };
  const tabs: Tab[] = [];
  for (const [name, path] of Object.entries(paths)) {
    const locale = name.includes('German') ? 'de' : 'en';
    const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale });
    const page = await context.newPage();
    await page.request.post(`${url}/session`, { headers: { 'x-api-key': adminKey, 'sec-fetch-site': 'same-origin' } });
    await page.goto(`${url}/console${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    tabs.push({ name, page, session: await context.newCDPSession(page), samples: [] });
  }
  const far = tabs.find(({ name }) => name.includes('far'));
  await far?.page.mouse.move(640, 500);
  while (far && !(await far.page.evaluate<boolean>(`document.querySelector('[aria-rowindex="1000"]') !== null`))) {
    await far.page.mouse.wheel(0, 1_200);
    await far.page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  }
  return tabs;
}

/** Types names into a form whose other fields change, and codes into a cell of a list whose rows move. */
async function startTypists(tabs: readonly Tab[], url: string): Promise<Typist[]> {
  const typists: Typist[] = [];
  for (const { name, page } of tabs) {
    if (name === formName) {
      const field = page.locator('form.form [data-field=name]');
      const open = async () => {
        // A form that has a draft is open already.
        await field.or(page.getByRole('button', { name: 'Edit program' })).click();
        await field.selectText();
      };
      typists.push(await startTyping({ page, field, open, stored: async () => (await programOf(url, 2)).name }));
    }
    if (name === cellName) {
      const row = page.locator('tr.row', { has: page.getByRole('link', { name: 'Program 10', exact: true }) });
      const field = page.locator('.cell-editor input');
      const open = () => row.locator('td').nth(4).dblclick();
      typists.push(await startTyping({ page, field, open, stored: async () => (await programOf(url, 11)).code }));
    }
  }
  return typists;
}

/** What happens on the way, each once; `at` is the share of the time that has passed. */
function outagesOf({ service, dataDir, browserPid }: Run, tabs: readonly Tab[]) {
  return [
    {
      at: 0.3,
      happened: false,
      name: 'the service is killed and started again',
      happen: async () => {
        const { port } = new URL(service.current.url);
        await service.current.kill();
        await delay(5_000);
        service.current = await startEmbeddedService(dataDir, { PORT: port });
      },
    },
    {
      at: 0.4,
      happened: false,
      name: 'the network is cut for half a minute',
      happen: async () => {
        for (const { page } of tabs) await page.context().setOffline(true);
        await delay(outageMs / 2);
        for (const { page } of tabs) await page.context().setOffline(false);
      },
    },
    {
      at: 0.5,
      happened: false,
      name: 'the pages are frozen for a minute',
      happen: async () => {
        const freeze = async (state: 'frozen' | 'active') => {
          // Nobody types into a page that is hidden long enough to be frozen.
          for (const { name, session } of tabs)
            if (name !== formName && name !== cellName) await session.send('Page.setWebLifecycleState', { state });
        };
        await freeze('frozen');
        await delay(outageMs);
        await freeze('active');
      },
    },
    {
      at: 0.6,
      happened: false,
      name: 'the browser is stopped for a minute',
      happen: async () => {
        process.kill(-browserPid, 'SIGSTOP');
        await delay(outageMs);
        process.kill(-browserPid, 'SIGCONT');
      },
    },
  ];
}

/** What the pages show that the database does not have, once they have had time to catch up. */
async function differences(url: string, tabs: readonly Tab[], when: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, page } of tabs) {
    const until = performance.now() + settledWithinMs;
    let wrong: string[];
    do {
      await delay(500);
      wrong = await wrongOf(url, await page.evaluate(shown));
    } while (wrong.length > 0 && performance.now() < until);
    if (wrong.length > 0) faults.push(`${when}, ${name}: ${wrong.slice(0, 3).join('; ')} (${wrong.length})`);
  }
  return faults;
}

async function sampleOf(session: CDPSession): Promise<Sample> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name: string): number => metrics.find((found) => found.name === name)?.value ?? 0;
  return {
    megabytes: Math.round((metric('JSHeapUsedSize') / 1_048_576) * 10) / 10,
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
  };
}
