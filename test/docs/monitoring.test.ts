import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { startTestServer } from '../support/server.ts';
import { failures } from './failures.ts';

const dashboard = z.object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) });
const alerts = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});

const read = (file: string): string => readFileSync(file, 'utf8');
const { rules = [] } = alerts.parse(parse(read('deploy/alerts.yaml'))).groups[0] ?? {};
const expressions = [
  ...dashboard
    .parse(JSON.parse(read('deploy/grafana-dashboard.json')))
    .panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...rules.map(({ expr }) => expr),
];

/** Of Prometheus, of kube-state-metrics, and of the file that a nightly backup writes. */
const foreign = /^(?:up|kube_cronjob_\w+|academic_structure_backup_seconds)$/;

/** Names in an expression that are no functions, labels or keywords of PromQL. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, '');
  const names = [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/g)].map(([name]) => name);
  return names.filter((name) => !['by', 'sum', 'min', 'max', 'or', 'unless'].includes(name) && !foreign.test(name));
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

it('docs/operation.md has a failure for each alert, with the metric that it reads', () => {
  expect(new Set(failures.map(({ rule }) => rule))).toEqual(new Set(rules.map(({ alert }) => alert)));
  for (const { rule, metrics } of failures) {
    const expr = rules.find(({ alert }) => alert === rule)?.expr ?? '';
    for (const metric of metrics) expect(expr).toMatch(new RegExp(`\\b${metric}\\b`));
    expect(metrics.length).toBeGreaterThan(0);
  }
});
