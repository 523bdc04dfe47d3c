import { pathToFileURL } from 'node:url';
import { migrate } from '../../src/database/migrations/migrate.ts';

// Migrates in a process of its own, which a test can kill.
const [databaseUrl = '', folder = ''] = process.argv.slice(2);
await migrate(databaseUrl, { folder: pathToFileURL(`${folder}/`) });
