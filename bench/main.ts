/**
 * Measures the CPU time of a request, of the service and PostgreSQL, beside other servers in the same run: `npm run
 * bench`, `-- --quick` in one round instead of five, `-- --programs 25000` with a larger catalog, `-- --only "page, with
 * changes"` one contest; `-- --without json` what an accelerator gives, `-- --subscribers` the cost of ten thousand,
 * `-- --idle` the CPU time of idle instances, `-- --console` how the console searches and scrolls; each with `--
 * --database-url` on another PostgreSQL of this machine. It reports numbers, and never fails for one.
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { measureAblation } from './ablation.ts';
import { openBenchDatabase } from './database.ts';
import { measureIdle } from './idle.ts';
import { measureRatios } from './ratios.ts';
import { ablationTable, reportOf, resultTable } from './report.ts';
import { measureSubscribers } from './subscribers.ts';
import { accelerators } from './without.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    programs: { type: 'string', default: '1000' },
    without: { type: 'string', multiple: true },
    subscribers: { type: 'boolean' },
    idle: { type: 'boolean' },
    console: { type: 'boolean' },
    'database-url': { type: 'string' },
  },
});
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const sayAll = (measured: object): void => say(JSON.stringify(measured, null, 2));

const database = await openBenchDatabase(values['database-url']);
try {
  if (values.without !== undefined) {
    const removed = values.without.includes('all') ? accelerators : z.array(z.enum(accelerators)).parse(values.without);
    say(ablationTable(await measureAblation(database, removed, say)));
  } else if (values.console === true) {
    // Only this needs a browser, and the package that drives it.
    const { measureConsole } = await import('./console.ts');
    sayAll(await measureConsole(database, say));
  } else if (values.subscribers === true) {
    sayAll(await measureSubscribers(database, say));
  } else if (values.idle === true) {
    sayAll(await measureIdle(database));
  } else {
    const { quick, only, programs } = values;
    const results = await measureRatios(database, { quick, only, programs: Number(programs) }, (measured) =>
      say(`${resultTable(measured)}\n`),
    );
    say(reportOf(results));
  }
} finally {
  await database.close();
}
