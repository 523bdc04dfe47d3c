import type { Writing } from '../../operations/operation.ts';
import type { Change } from '../sql/writes/apply.ts';

/** A change of the catalog by a request, with what judges it. */
export const changeOf = ({ tx, actor, request }: Pick<Writing, 'tx' | 'actor' | 'request'>): Change => ({
  tx,
  actor,
  rules: request.app.rulesOf(request),
});
