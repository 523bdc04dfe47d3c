import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { freePort } from '../support/process.ts';
import { serverForTest } from '../support/server.ts';

const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});
const rules = z.object({
  data: z.object({
    groups: z.array(
      z.object({ rules: z.array(z.object({ name: z.string(), health: z.string(), state: z.string() })) }),
    ),
  }),
});
const series = z.object({ data: z.object({ result: z.array(z.unknown()) }) });

/** Starts Prometheus until the test ends, with the deployed files: only addresses and intervals are replaced. */
async function startPrometheus(target: string): Promise<string> {
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
  return `http://${address}/api/v1`;
}

it('Prometheus evaluates the alert rules, and has series for each panel of the dashboard', async () => {
  const server = await serverForTest();
  const prometheus = await startPrometheus(new URL(server.url).host);
  const get = async (address: string): Promise<unknown> => (await fetch(`${prometheus}${address}`)).json();
  const { panels } = dashboard.parse(JSON.parse(await readFile('deploy/grafana-dashboard.json', 'utf8')));
  const expressions = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
  // Then a field fails as by a fault of the service, while the status of HTTP stays 200.
  await server.database.query('ALTER TABLE audit_entries RENAME TO lost');

  await vi.waitFor(
    async () => {
      await server.graphql('{ auditLog(first: 1) { nodes { id } } }');
      for (const { title, expr } of expressions) {
        const { data } = series.parse(await get(`/query?query=${encodeURIComponent(expr)}`));
        expect({ title, expr, series: data.result.length }).not.toHaveProperty('series', 0);
      }
      const states = rules.parse(await get('/rules')).data.groups.flatMap((group) => group.rules);
      expect(states.filter(({ health }) => health !== 'ok')).toEqual([]);
      expect(states).toContainEqual({ name: 'InternalErrors', health: 'ok', state: 'pending' });
    },
    { timeout: 30_000, interval: 500 },
  );
});
