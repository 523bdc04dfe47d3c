/**
 * A process that keeps an embedded database open until a test kills it: prints the URL when ready and exits when
 * standard input ends. Arguments: the name and the data directory.
 */
import { openEmbeddedDatabase } from '../src/open.ts';

const [name, dataDir] = process.argv.slice(2);
if (name === undefined || dataDir === undefined) throw new Error('A name and a data directory are missing.');

const database = await openEmbeddedDatabase({ name, dataDir, log: () => undefined });
process.stdout.write(`${database.url}\n`);
process.stdin.once('end', () => database.close()).resume();
