import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openCatalogFeed } from '../../src/academics/changes/catalog-feed.ts';
import { openCatalogMonitor } from '../../src/academics/changes/catalog-log.ts';
import { openDatabase } from '../../src/database/prisma.ts';
import { rightsOf } from '../../src/validation/permissions.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

const reader = { name: 'ada', active: true, ...rightsOf('viewer'), readOnly: false, expiresAt: null };

it('leaves subscriptions to other users when one has a thousand, with whichever keys', async () => {
  const db = openDatabase({ url: database.url });
  const changes = await openCatalogMonitor(database.url, () => undefined);
  const callersThatStay = { watch: () => () => undefined, isCurrent: () => Promise.resolve(true) };
  const feed = openCatalogFeed({ db, changes, callers: callersThatStay, log: pino({ enabled: false }) });
  onTestFinished(async () => {
    await feed.close();
    await changes.close();
    await db.$disconnect();
  });
  const [many, another] = [1, 2];
  const subscribe = (userId: number, keyId: number) =>
    feed.subscribe({ caller: { ...reader, userId, keyId }, lastEventId: undefined });

  const [first] = await Promise.all(Array.from({ length: 1_000 }, (_, index) => subscribe(many, index % 2)));

  await expect(subscribe(many, 2)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: 'You have 1000 open subscriptions, which is the limit. Close some first.',
  });
  await subscribe(another, 3);
  await first?.return?.();
  await subscribe(many, 2);
});
