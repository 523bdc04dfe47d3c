import path from 'node:path';

/** Whether the service runs as an installed package, not in a checkout. */
export const isInstalled = import.meta.dirname.split(path.sep).includes('node_modules');

/** How the service is started. */
export const startCommand = isInstalled ? 'npx academic-structure-service' : 'npm start, or node dist/main.js';

/** How the command line is started. */
export const cliCommand = isInstalled ? 'npx academic-structure-service-cli' : 'npm run cli --';
