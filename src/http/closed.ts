import type { ServerResponse } from 'node:http';

/**
 * Calls back once a response is closed: it has been sent, or its client is gone. At once when it is closed already, so
 * that nothing which was opened meanwhile stays open.
 */
export function whenClosed(response: ServerResponse, release: () => void): void {
  if (response.destroyed) release();
  else response.once('close', release);
}
