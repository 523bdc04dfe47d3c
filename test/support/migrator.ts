import { pathToFileURL } from 'node:url';
import { migrate } from '@service/postgres/migrations/migrate';

// Migrates in a process of its own, which a test can kill.
const [databaseUrl = '', folder = ''] = process.argv.slice(2);
await migrate(databaseUrl, { folder: pathToFileURL(`${folder}/`) });
