import { afterEach, beforeEach } from 'vitest';
import { takeWarnings } from './warnings.ts';

beforeEach(() => void takeWarnings());

// The body of a 503 that no test expects does not say why; the log does.
afterEach(({ task }) => {
  const warnings = takeWarnings();
  if (warnings.length === 0) return;
  for (const error of task.result?.errors ?? []) error.message += `\nThe service logged:\n${warnings.join('\n')}`;
});
