import { pathToFileURL } from 'node:url';
import { migrate } from '@service/postgres/migrations/migrate';
import { migrations } from '../../src/database/migrations.ts';

// Migrates in a process of its own, which a test can kill.
const [databaseUrl = '', folder = ''] = process.argv.slice(2);
await migrate(databaseUrl, { ...migrations, folder: pathToFileURL(`${folder}/`) });
