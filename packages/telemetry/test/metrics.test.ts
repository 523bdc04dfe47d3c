import perfHooks from 'node:perf_hooks';
import { Gauge } from 'prom-client';
import { expect, it, vi } from 'vitest';
import { createMetrics } from '../src/metrics.ts';

const options = { version: '1.0.0', credentialReasons: ['no credential'] };

it('shares the metrics of the process with its other services, and measures them once', async () => {
  createMetrics(options);
  const timers = vi.spyOn(perfHooks, 'monitorEventLoopDelay');
  const others = Array.from({ length: 3 }, () => createMetrics(options));

  const texts = await Promise.all(others.map(async (other) => (await other.read()).text));

  for (const text of texts) expect(text).toMatch(/^nodejs_eventloop_lag_seconds \d/m);
  for (const text of texts) expect(text).toContain('build_info{version="1.0.0"');
  expect(timers).not.toHaveBeenCalled();
  timers.mockRestore();
});

it('reports usual reasons of rejected credentials as 0, and has room for further metrics of the service', async () => {
  const metrics = createMetrics(options);
  new Gauge({ name: 'orders', help: 'Open orders.', registers: metrics.registers }).set(7);

  const { text } = await metrics.read();

  expect(text).toContain('rejected_credentials_total{reason="no credential"} 0');
  expect(text).toContain('orders 7');
});

it('counts requests by methods that exist, and all others under one label', async () => {
  const metrics = createMetrics(options);
  for (const method of ['GET', 'PROPFIND', 'LINK'])
    metrics.requestCompleted({ route: '/', method, status: 405, seconds: 0.01 });

  const { text } = await metrics.read();

  expect(text.match(/^http_requests_total\{.*$/gm)).toEqual([
    'http_requests_total{route="/",method="GET",status="405"} 1',
    'http_requests_total{route="/",method="other",status="405"} 2',
  ]);
  // A bucket has its bound.
  for (const [bound, count] of Object.entries({ '0.005': 0, '0.01': 1, '0.025': 1 }))
    expect(text).toContain(`http_request_duration_seconds_bucket{route="/",method="GET",le="${bound}"} ${count}\n`);
});

it('scrapes at the same time share one: each takes milliseconds', async () => {
  const { read } = createMetrics(options);
  const [first, second] = [read(), read()];

  expect(second).toBe(first);
  expect((await read()).text).toContain('build_info');
});
