import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { replyTo } from './arguments.ts';
import { configWarnings, readConfig } from './config.ts';
import { StartupError } from './errors.ts';
import { openLog } from './observability/log.ts';
import { startService } from './service.ts';

/** What cannot be let go of in this time is left to the operating system (`docs/contract.md` 9 promises 10 seconds). */
const stopWithinMs = 9_800;
/** Proxies that watch `/readyz`, or keep connections, have this long to hear of it before nobody listens any more. */
const noticeMs = 500;
/** Ctrl-C in a terminal may arrive twice at once: from the terminal itself and from npm, which passes it on. */
const echoMs = 100;

/**
 * V8 lets the heap grow to three or four times what lives in it before it looks for garbage there. At six tenths more
 * the service needs two thirds of the memory under load, and a tenth more time for its largest first answers only.
 */
const heapGrowingPercent = 60;
setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);

const say = (sentence: string): void => {
  process.stdout.write(`${sentence}\n`);
};

/** Starts the service, says where it is, and stops it when a signal asks for that. */
async function run(signal: AbortSignal): Promise<void> {
  const config = readConfig();
  const log = await openLog(config);
  endOnUnforeseen(log);
  for (const warning of configWarnings()) log.warn(warning);
  const service = await startService({ config, log, tell: say, signal });
  say(`Home      ${service.url}/`);
  say(`REST      ${service.url}/v1`);
  say(`GraphiQL  ${service.url}/graphql`);
  say(`Docs      ${service.url}/docs`);
  say(`listening on ${service.url}`);
  await aborted(signal);
  await service.close(noticeMs);
}

/** A signal to stop, at the first SIGTERM or SIGINT. The second ends the process at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  let askedAt = 0;
  const onSignal = (): void => {
    if (!stop.signal.aborted) {
      askedAt = performance.now();
      setTimeout(() => process.exit(0), stopWithinMs).unref();
      stop.abort();
    } else if (performance.now() - askedAt > echoMs) process.exit(1);
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return stop.signal;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}

/** After what nobody has foreseen, nothing in the process can be relied on; whoever watches over it starts it anew. */
function endOnUnforeseen(log: Logger): void {
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (err: unknown) => {
      log.fatal({ err }, 'unforeseen failure');
      process.exit(1);
    });
  }
}

// Whoever read what is said here may have left: that is no reason to stop.
process.stdout.on('error', () => undefined);

function start(): void {
  const signal = stopSignal();
  run(signal).then(
    () => process.exit(0),
    (problem: unknown) => {
      // Who is told to stop while starting has nothing to complain of.
      if (signal.aborted) process.exit(0);
      if (!(problem instanceof StartupError)) throw problem;
      process.stderr.write(`${problem.message}\n`);
      process.exit(1);
    },
  );
}

const reply = replyTo(process.argv.slice(2));
if (reply === undefined) start();
else {
  process.exitCode = reply.exitCode;
  (reply.exitCode === 0 ? process.stdout : process.stderr).write(reply.text);
}
