import { openLog } from '../src/log.ts';

// Logs more than fills every buffer, then says so, and ends as a service does: with a line of the log, and a code.
const log = await openLog({ level: 'info', secrets: [] });
for (let count = 0; count < 2_000; count += 1) log.info({ text: 'x'.repeat(2_000) }, 'one of many');
process.stdout.write('logged');
log.fatal('the last');
process.exit(3);
