import { beforeAll, expect, it, vi } from 'vitest';
import { boundOf, doors, fillForDoors, send, settings } from '../fuzz/doors.ts';
import { startProcess } from '../support/process.ts';
import { useServer } from '../support/server.ts';

// Half a minute on an idle machine.
vi.setConfig({ testTimeout: 300_000 });

const server = useServer(settings);
let programs = { large: 0, followed: 0 };
beforeAll(async () => {
  programs = await fillForDoors(server);
});

it('a service with a heap of the bytes in SECURITY.md survives the worst at each door, four at a time', async () => {
  const heap = Math.min(...Object.keys(doors).map((door) => boundOf(door, 'bytes of the heap')));
  const { child, url } = startProcess({
    ...settings,
    DATABASE_URL: server.database.url,
    NODE_OPTIONS: `--max-old-space-size=${heap / 1e6}`,
  });
  const target = { url: await url, ...programs };
  for (const [door, attack] of Object.entries(doors)) {
    await Promise.allSettled(Array.from({ length: 4 }, () => attack(target)));
    const isAlive = await send(target, '/livez').then(
      () => child.exitCode === null,
      () => false,
    );
    expect({ door, isAlive }).toEqual({ door, isAlive: true });
  }
});
