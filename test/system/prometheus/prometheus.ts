import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { freePort } from '../../support/process.ts';

const rules = z.object({
  data: z.object({
    groups: z.array(
      z.object({ rules: z.array(z.object({ name: z.string(), health: z.string(), state: z.string() })) }),
    ),
  }),
});
const series = z.object({ data: z.object({ result: z.array(z.unknown()) }) });

/** Prometheus as the files of `deploy` configure it, with one target. */
export interface Prometheus {
  rules(): Promise<z.output<typeof rules>['data']['groups'][number]['rules']>;
  /** The series of an expression. */
  query(expression: string): Promise<readonly unknown[]>;
}

/** Starts Prometheus until the test ends, with the deployed files: only addresses and intervals are replaced. */
export async function startPrometheus(target: string): Promise<Prometheus> {
  const directory = await mkdtemp(path.join(tmpdir(), 'prometheus-'));
  const config = parse(await readFile('deploy/prometheus.yaml', 'utf8'));
  config.global = { evaluation_interval: '1s' };
  for (const job of config.scrape_configs) {
    Object.assign(job, { scrape_interval: '1s', static_configs: [{ targets: [target] }] });
  }
  await writeFile(path.join(directory, 'prometheus.yaml'), stringify(config));
  await writeFile(path.join(directory, 'alerts.yaml'), await readFile('deploy/alerts.yaml'));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn('prometheus', [`--web.listen-address=${address}`, '--config.file=prometheus.yaml'], {
    cwd: directory,
    env: { PATH: inject('searchPath') },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill();
    await ended;
    await rm(directory, { recursive: true });
  });
  const get = async (part: string): Promise<unknown> => (await fetch(`http://${address}/api/v1${part}`)).json();
  return {
    rules: async () => rules.parse(await get('/rules')).data.groups.flatMap((group) => group.rules),
    query: async (expression) => series.parse(await get(`/query?query=${encodeURIComponent(expression)}`)).data.result,
  };
}
