import type { Postgres } from '../database/open-postgres.ts';

type Report = (message: string) => void;

/** Opening for longer than this calls for an explanation. */
const deferMs = 2_000;

/**
 * Opens PostgreSQL and passes on its messages only if they matter: all of them when opening takes long or fails, those while
 * PostgreSQL is in use, and none of a normal close.
 */
export async function deferOutput<Opened extends Pick<Postgres, 'close'>>(
  open: (report: Report) => Promise<Opened>,
  write: Report,
  { delayMs = deferMs }: { readonly delayMs?: number } = {},
): Promise<Opened> {
  const deferred: string[] = [];
  let report: Report = (message) => deferred.push(message);
  const flush = (): void => {
    report = write;
    for (const message of deferred.splice(0)) write(message);
  };
  const timer = setTimeout(flush, delayMs);
  try {
    const postgres = await open((message) => report(message));
    report = write;
    return {
      ...postgres,
      close: () => {
        report = () => undefined;
        return postgres.close();
      },
    };
  } catch (problem) {
    flush();
    throw problem;
  } finally {
    clearTimeout(timer);
  }
}
