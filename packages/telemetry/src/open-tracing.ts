import type { Logger } from 'pino';
import type { Config } from '../../../src/config.ts';
import type { Tracing } from './tracing.ts';

/** Opens tracing when an OTLP endpoint is configured; otherwise loads nothing of OpenTelemetry. */
export async function openTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT }: Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT'>,
  log: Logger,
): Promise<Tracing | undefined> {
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  const { openSpans } = await import('./tracing-spans.ts');
  return openSpans(log);
}
