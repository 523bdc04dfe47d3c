/**
 * A process that keeps an embedded database open until a test kills it: prints the URL when ready and exits when
 * standard input ends. Argument: the data directory.
 */
import { openEmbeddedDatabase } from '../../src/database/embedded/open.ts';

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('A data directory is missing.');

const database = await openEmbeddedDatabase({ dataDir, log: () => undefined });
process.stdout.write(`${database.url}\n`);
process.stdin.once('end', () => database.close()).resume();
