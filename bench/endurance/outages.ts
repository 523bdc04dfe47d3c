import { setTimeout as delay } from 'node:timers/promises';
import { type ServerProcess, startEmbeddedService } from '../processes.ts';
import { cellName, formName, noteName, type Tab } from './tabs.ts';

/** What fails on the way. */
export interface Failing {
  readonly browserPid: number;
  readonly service: { current: ServerProcess };
  readonly dataDir: string;
}

/** Longer than a page waits for the heartbeat of a connection. */
const outageMs = 60_000;
/** What happens on the way, each once; `at` is the share of the time that has passed. */
export function outagesOf({ service, dataDir, browserPid }: Failing, tabs: readonly Tab[]) {
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
            if (![formName, cellName, noteName].includes(name))
              await session.send('Page.setWebLifecycleState', { state });
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
