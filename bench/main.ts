/**
 * Measures the throughput of the service as ratios to a floor in the same run: `npm run bench`, `-- --quick` in two
 * minutes, `-- --growth` with up to a million programs, `-- --subscribers` with ten thousand. These report numbers and
 * never fail for one; `-- --soak [minutes]`, ordinary and hostile clients side by side, by default for an hour, does.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openBenchDatabase } from './database.ts';
import { plotOf } from './plot.ts';
import { measureRatios } from './ratios.ts';
import { growthTable, ratioTable } from './report.ts';
import { measureScaling } from './scaling.ts';
import { soak } from './soak.ts';
import { measureSubscribers } from './subscribers.ts';

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    growth: { type: 'boolean' },
    subscribers: { type: 'boolean' },
    soak: { type: 'boolean' },
  },
  allowPositionals: true,
});
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const save = (name: string, text: string): Promise<void> => writeFile(new URL(name, import.meta.url), text);

if (values.soak === true) {
  const faults = await soak(Number(positionals[0] ?? 60), say);
  say(faults.length === 0 ? 'Nothing failed.' : faults.join('\n'));
  process.exit(faults.length === 0 ? 0 : 1);
}

const database = await openBenchDatabase();
try {
  if (values.growth === true) {
    const sizes = await measureScaling(database, say);
    say(growthTable(sizes));
    await save('growth.json', `${JSON.stringify(sizes, null, 2)}\n`);
    await save('growth.svg', plotOf(sizes));
  } else if (values.subscribers === true) {
    const cost = await measureSubscribers(database, say);
    const text = `${JSON.stringify(cost, null, 2)}\n`;
    say(text);
    await save('subscribers.json', text);
  } else {
    const results = await measureRatios(database, values.quick === true, say);
    say(ratioTable(results));
    await save('results.json', `${JSON.stringify(results, null, 2)}\n`);
  }
} finally {
  await database.close();
}
