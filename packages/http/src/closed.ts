import type { ServerResponse } from 'node:http';

/** Calls back once a response is sent or its client is gone; at once when it is already closed, so nothing leaks. */
export function whenClosed(response: ServerResponse, release: () => void): void {
  if (response.destroyed) release();
  else response.once('close', release);
}
