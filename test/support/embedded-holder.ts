/**
 * A process that holds an embedded database open, to be killed: prints the address when it is ready, and leaves when
 * its standard input ends. Argument: the data directory.
 */
import { openEmbeddedDatabase } from '../../src/database/embedded/open.ts';

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('A data directory is missing.');

const database = await openEmbeddedDatabase({ dataDir, log: () => undefined });
process.stdout.write(`${database.url}\n`);
process.stdin.once('end', () => database.close()).resume();
