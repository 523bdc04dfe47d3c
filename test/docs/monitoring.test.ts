import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { startTestServer } from '../support/server.ts';

const dashboard = z.object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) });
const alerts = z.object({ groups: z.array(z.object({ rules: z.array(z.object({ expr: z.string() })) })) });

const read = (file: string): string => readFileSync(file, 'utf8');
const expressions = [
  ...dashboard
    .parse(JSON.parse(read('deploy/grafana-dashboard.json')))
    .panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...alerts.parse(parse(read('deploy/alerts.yaml'))).groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
];

/** Names in an expression that are no functions, labels or keywords of PromQL; `up` is Prometheus' own. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, '');
  const names = [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/g)].map(([name]) => name);
  return names.filter((name) => !['by', 'sum', 'min', 'max', 'or', 'up'].includes(name));
}

it('the dashboard and the alerts name metrics that exist', async () => {
  const server = await startTestServer();
  await server.graphql('{ programs { count } }');
  const text = await (await fetch(`${server.url}/metrics`)).text();
  await server.close();
  const existing = new Set(Array.from(text.matchAll(/^(?:# TYPE )?([a-z_]\w*)/gm), ([, name]) => name));
  const named = [...new Set(expressions.flatMap(metricsIn))];

  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !existing.has(name))).toEqual([]);
});
