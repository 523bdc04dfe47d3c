import { readFile } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { serverForTest } from '../../support/server.ts';
import { startPrometheus } from './prometheus.ts';

const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});

it('Prometheus evaluates the alert rules, and has series for each panel of the dashboard', async () => {
  const server = await serverForTest();
  const prometheus = await startPrometheus(new URL(server.url).host);
  const { panels } = dashboard.parse(JSON.parse(await readFile('deploy/grafana-dashboard.json', 'utf8')));
  const expressions = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));

  await vi.waitFor(
    async () => {
      await server.graphql('{ auditLog(first: 1) { nodes { id } } program(id: 1) { id } }');
      for (const { title, expr } of expressions) {
        const { length } = await prometheus.query(expr);
        expect({ title, expr, series: length }).not.toHaveProperty('series', 0);
      }
      const states = await prometheus.rules();
      expect(states.length).toBeGreaterThan(10);
      expect(states.filter(({ health }) => health !== 'ok')).toEqual([]);
    },
    { timeout: 30_000, interval: 500 },
  );
});
