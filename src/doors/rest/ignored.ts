import type { ServerResponse } from 'node:http';
import type { Metrics } from '@service/telemetry/metrics';
import { listParameters, type Route } from './routes.ts';

/** Names what a request has without effect, such as a parameter that its sender has misspelled. */
export const ignoredHeader = 'X-Ignored';

/** Names that the header has, and characters of one: it is read by people. */
const namesMax = 10;
const lengthMax = 50;

/** The parameters of a query that its endpoint does not have. */
export function ignoredParameters({ input }: Pick<Route, 'input'>, query: string): string[] {
  if (query === '') return [];
  const known: readonly string[] = input === 'query' ? listParameters : [];
  return [...new Set(new URLSearchParams(query).keys())].filter((name) => !known.includes(name));
}

/** Names and counts what has no effect (`docs/contract.md` 2); called again, adds to the names. */
export function nameIgnored(response: ServerResponse, route: Route, names: readonly string[], metrics: Metrics): void {
  if (names.length === 0) return;
  const before = response.getHeader(ignoredHeader);
  if (before === undefined) metrics.inputIgnored(route.name);
  const shown = names.slice(0, namesMax).map((name) => encodeURIComponent(name.slice(0, lengthMax).toWellFormed()));
  response.setHeader(ignoredHeader, [...(before === undefined ? [] : [String(before)]), ...shown].join(', '));
}
