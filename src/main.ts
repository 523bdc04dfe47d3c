import { readConfig } from './config.ts';
import { StartupError } from './errors.ts';
import { createLog } from './operations/log.ts';
import { type Service, startService } from './service.ts';

const say = (sentence: string): void => {
  process.stdout.write(`${sentence}\n`);
};

/** Starts the service and says where it is. */
async function start(): Promise<Service> {
  const config = readConfig();
  const service = await startService({ config, log: createLog(config), tell: say });
  say(`REST      ${service.url}/v1`);
  say(`GraphiQL  ${service.url}/graphql`);
  say(`Docs      ${service.url}/docs`);
  say(`listening on ${service.url}`);
  return service;
}

/** Stops at the first signal, with a good end; at the second, at once. */
function stopOnSignal(service: Service): void {
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      service.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}

try {
  stopOnSignal(await start());
} catch (problem) {
  if (!(problem instanceof StartupError)) throw problem;
  process.stderr.write(`${problem.message}\n`);
  process.exitCode = 1;
}
