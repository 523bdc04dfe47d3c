import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { StartupError } from '@service/errors';
import { openLog } from '@service/telemetry/log';
import type { Logger } from 'pino';
import { replyTo } from './arguments.ts';
import { type Config, configWarnings, readConfig } from './config.ts';
import { secretsOf } from './database/open-postgres.ts';
import { startService } from './service.ts';

/** Timeout of the graceful shutdown after the notice: then the process exits (`docs/contract.md` 9: 10 seconds). */
const stopWithinMs = 9_000;
/** Time that remains for the database. */
const lastMs = 800;
/** Time for load balancers to notice the shutdown, by `/readyz` or on open connections, before the port closes. */
const noticeMs = 500;
/** An embedded PostgreSQL that nobody else uses is stopped even by a process that ends at once: it takes some 0.2 seconds. */
const leaveWithinMs = 3_000;
/** Ctrl-C in a terminal may arrive twice at once: from the terminal itself and from npm, which passes it on. */
const echoMs = 100;

/**
 * V8 lets the heap grow three- or fourfold before a full garbage collection. At 60 percent the service needs two thirds
 * of the memory under load, and only its largest uncached responses take 10 % longer.
 */
const heapGrowingPercent = 60;
setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);

const print = (message: string): void => {
  process.stdout.write(`${message}\n`);
};

/** Ends the database before the process; until it is open, ends the start, which has been aborted. */
let leaveDatabase: () => Promise<unknown> = async () => undefined;

async function run(config: Config, signal: AbortSignal): Promise<void> {
  const log = await openLog({ level: config.LOG_LEVEL, ...secretsOf(config) });
  exitOnUncaught(log);
  for (const warning of configWarnings()) log.warn(warning);
  const starting = startService({
    config,
    log,
    report: print,
    signal,
    onDatabase: (leave) => {
      leaveDatabase = leave;
    },
  });
  if (config.DATABASE_URL === undefined) leaveDatabase = () => starting.catch(() => undefined);
  const service = await starting;
  print(`Home      ${service.url}/`);
  print(`Console   ${service.url}/console`);
  print(`REST      ${service.url}/v1`);
  print(`GraphiQL  ${service.url}/graphql`);
  print(`Docs      ${service.url}/docs`);
  print(`listening on ${service.url}`);
  await aborted(signal);
  service.announceStop();
  await delay(config.STOP_NOTICE_MS);
  await service.close(noticeMs);
}

/** Leaves the database, and ends the process. */
function exitNow(code: number, withinMs: number): void {
  const exit = (): void => process.exit(code);
  setTimeout(exit, withinMs);
  leaveDatabase().then(exit, exit);
}

/** Aborts at the first SIGTERM, SIGINT or SIGHUP (closed terminal); the second ends the process at once. */
function stopSignal(exitWithinMs: number): AbortSignal {
  const stop = new AbortController();
  let stoppedAt = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (!stop.signal.aborted) {
      stoppedAt = performance.now();
      setTimeout(exitNow, exitWithinMs, 0, lastMs).unref();
      stop.abort();
      // The shell of a closed terminal may send another SIGHUP later.
    } else if (signal !== 'SIGHUP' && performance.now() - stoppedAt > echoMs) exitNow(1, leaveWithinMs);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, onSignal);
  return stop.signal;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}

/** Exits on an uncaught error, since the state of the process is unknown; its supervisor restarts it. */
function exitOnUncaught(log: Logger): void {
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (err: unknown) => {
      log.fatal({ err }, 'uncaught exception: exiting');
      process.exit(1);
    });
  }
}

// The reader of standard output may be gone (EPIPE): not an error.
process.stdout.on('error', () => undefined);

async function start(): Promise<void> {
  const config = readConfig();
  const signal = stopSignal(config.STOP_NOTICE_MS + stopWithinMs);
  try {
    await run(config, signal);
  } catch (problem) {
    // Aborted during startup: not an error.
    if (!signal.aborted) throw problem;
  }
}

function exitOn(problem: unknown): void {
  if (!(problem instanceof StartupError)) throw problem;
  process.stderr.write(`${problem.message}\n`);
  process.exit(1);
}

const reply = replyTo(process.argv.slice(2));
if (reply === undefined) start().then(() => process.exit(0), exitOn);
else {
  process.exitCode = reply.exitCode;
  (reply.exitCode === 0 ? process.stdout : process.stderr).write(reply.text);
}
