import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { median } from '../median.ts';
import { startEmbeddedService } from '../processes.ts';
import { changeCatalog, fillCatalog } from './catalog.ts';
import { type Failing, outagesOf } from './outages.ts';
import { levelOf, shown, wrongOf } from './shown.ts';
import { openTabs, sampleOf, type Tab } from './tabs.ts';
import { startTypists } from './typists.ts';

const programs = 3_000;
const changesPerSecond = 10;
const minuteMs = 60_000;
/** A page shows what the database has this long after the last change. */
const settledWithinMs = 15_000;
/**
 * A figure is flat when its median in the last quarter is at most this much above that in the second, in which each page
 * shows its first message: that adds some hundred listeners, once.
 */
const growthMax = 1.1;

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

interface Run extends Failing {
  readonly minutes: number;
  readonly say: Say;
  readonly browser: Browser;
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
  say(
    [
      'minute',
      'changes',
      'programs, branches, open notes',
      ...tabs.map(({ name }) => `${name} (MB, nodes, listeners)`),
    ].join('\t'),
  );
  while (!passed(1)) {
    const outage = outages.find(({ at, happened }) => !happened && passed(at));
    if (outage !== undefined) {
      outage.happened = true;
      say(`${minutesSince(began)}\t${outage.name}`);
      // Meanwhile they type.
      await outage.happen();
    }
    await delay(sampleEveryMs);
    const when = `minute ${minutesSince(began)}`;
    const found: string[] = [];
    for (const typist of typists) found.push(...(await typist.save(when)));
    await changes.pause();
    found.push(...(await differences(url, tabs, when)));
    for (const fault of found) say(fault);
    faults.push(...found);
    for (const tab of tabs) tab.samples.push(await sampleOf(tab.session));
    const figures = tabs.map(({ samples }) => samples.at(-1)).map((s) => `${s?.megabytes} ${s?.nodes} ${s?.listeners}`);
    say(
      [
        minutesSince(began),
        `${changes.count()} (${changes.repeated()} sent again)`,
        await levelOf(url),
        ...figures,
      ].join('\t'),
    );
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
  say(
    `${changes.count()} changes; ${changes.repeated()} requests were sent again, since the service was away or busy.`,
  );
  const letters = typists.reduce((sum, { found }) => sum + found(), 0);
  say(`${letters} letters were typed and found in the database.`);
  return [...faults, ...changes.rejections];
}

const minutesSince = (began: number): string => ((performance.now() - began) / minuteMs).toFixed(1);

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
