import { pathToFileURL } from 'node:url';
import { migrate } from '../../src/database/migrations/migrate.ts';

// A process that migrates, so that a test can kill it.
const [databaseUrl = '', folder = ''] = process.argv.slice(2);
await migrate(databaseUrl, { folder: pathToFileURL(`${folder}/`) });
