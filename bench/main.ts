/**
 * Measures the CPU time of a request, of the service and PostgreSQL, beside other servers in the same run: `npm run
 * bench`, `-- --quick` in one round instead of five, `-- --programs 25000` with a larger catalog, `-- --only "page, with
 * changes"` one contest, `-- --growth` with up to a million programs, `-- --subscribers` with ten thousand, `-- --without
 * json` what an accelerator gives, `-- --idle` the CPU time of idle instances, `-- --console` how the console searches
 * and scrolls, `-- --jobs [files]` how long people take for their jobs in it, each with `-- --database-url` on another PostgreSQL of this machine. These report numbers and never fail
 * for one; `-- --soak [minutes]`, ordinary and hostile clients side by side, by default for an hour, does, as does
 * `-- --endurance [minutes]`, the pages of the console under ten changes a second.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { measureAblation } from './ablation.ts';
import { openBenchDatabase } from './database.ts';
import { plotOf } from './growth/plot.ts';
import { measureScaling } from './growth/scaling.ts';
import { measureIdle } from './idle.ts';
import { measureRatios } from './ratios.ts';
import { ablationTable, growthTable, reportOf, resultTable } from './report.ts';
import { soak } from './soak/soak.ts';
import { measureSubscribers } from './subscribers.ts';
import { accelerators } from './without.ts';

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    growth: { type: 'boolean' },
    subscribers: { type: 'boolean' },
    idle: { type: 'boolean' },
    console: { type: 'boolean' },
    jobs: { type: 'boolean' },
    soak: { type: 'boolean' },
    endurance: { type: 'boolean' },
    without: { type: 'string', multiple: true },
    only: { type: 'string', multiple: true },
    programs: { type: 'string', default: '1000' },
    'database-url': { type: 'string' },
  },
  allowPositionals: true,
});
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
/** The stored results are those of the embedded server. */
const given = values['database-url'];
const save = async (name: string, text: string): Promise<void> => {
  if (given === undefined) await writeFile(new URL(`results/${name}`, import.meta.url), text);
};

if (values.soak === true || values.endurance === true) {
  const minutes = Number(positionals[0] ?? 60);
  const faults =
    values.soak === true
      ? await soak(minutes, say)
      : await (await import('./endurance/endurance.ts')).endure(minutes, say);
  say(faults.length === 0 ? 'Nothing failed.' : faults.join('\n'));
  process.exit(faults.length === 0 ? 0 : 1);
}

const database = await openBenchDatabase(given);
try {
  if (values.without !== undefined) {
    const removed = values.without.includes('all') ? accelerators : z.array(z.enum(accelerators)).parse(values.without);
    const ablations = await measureAblation(database, removed, say);
    say(ablationTable(ablations));
    if (removed === accelerators) await save('ablation.json', `${JSON.stringify(ablations, null, 2)}\n`);
  } else if (values.growth === true) {
    const sizes = await measureScaling(database, say);
    say(growthTable(sizes));
    await save('growth.json', `${JSON.stringify(sizes, null, 2)}\n`);
    await save('growth.svg', plotOf(sizes));
  } else if (values.console === true) {
    // Only this needs a browser, and the package that drives it.
    const { measureConsole } = await import('./console.ts');
    const text = `${JSON.stringify(await measureConsole(database, say), null, 2)}\n`;
    say(text);
    await save('console.json', text);
  } else if (values.jobs === true) {
    const { measureJobs } = await import('./jobs/jobs.ts');
    await measureJobs(await database.fill(Number(values.programs)), positionals, say);
  } else if (values.subscribers === true) {
    const cost = await measureSubscribers(database, say);
    const text = `${JSON.stringify(cost, null, 2)}\n`;
    say(text);
    await save('subscribers.json', text);
  } else if (values.idle === true) {
    say(JSON.stringify(await measureIdle(database), null, 2));
  } else {
    const { quick = false, only, programs } = values;
    const results = await measureRatios(database, { quick, only, programs: Number(programs) }, (measured) =>
      say(`${resultTable(measured)}\n`),
    );
    say(reportOf(results));
    if (only === undefined && !quick) await save('results.json', `${JSON.stringify(results, null, 2)}\n`);
  }
} finally {
  await database.close();
}
