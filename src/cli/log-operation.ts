import { userInfo } from 'node:os';
import { createLog } from '@service/telemetry/log';
import { secretsOf } from '../database/open-postgres.ts';
import type { CliContext } from './cli-context.ts';

type Details = Readonly<Record<string, string | number>>;

/**
 * Runs an operation that copies the data, and logs its user and outcome to standard error, except on a terminal, where
 * nothing collects log lines.
 */
export async function logOperation(
  { readConfig, stderr }: Pick<CliContext, 'readConfig' | 'stderr'>,
  name: 'backup' | 'export',
  work: () => Promise<Details>,
): Promise<void> {
  const write = (line: string): void => void (stderr.isTTY || stderr.write(line));
  const { LOG_LEVEL: level, DATABASE_URL } = readConfig();
  const log = createLog({ level, secrets: secretsOf(DATABASE_URL) }, { write });
  const began = performance.now();
  const who = () => ({ actor: 'cli', systemUser: systemUser(), durationMs: Math.round(performance.now() - began) });
  try {
    const details = await work();
    log.info({ ...who(), ...details, outcome: 'done' }, name);
  } catch (problem) {
    log.info({ ...who(), outcome: 'failed' }, name);
    throw problem;
  }
}

/** A user id without a name is common in containers. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
