import { pathToFileURL } from 'node:url';
import { migrate } from '../../src/migrations/migrate.ts';

// Migrates in a process of its own, which a test can kill.
const [databaseUrl = '', folder = '', lockKey = ''] = process.argv.slice(2);
await migrate(databaseUrl, { folder: pathToFileURL(`${folder}/`), lockKey: Number(lockKey) });
