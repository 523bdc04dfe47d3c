import path from 'node:path';

export const isInstalled = import.meta.dirname.split(path.sep).includes('node_modules');

export const startCommand = isInstalled ? 'npx academic-structure-service' : 'npm start, or node dist/main.js';

export const cliCommand = isInstalled ? 'npx academic-structure-service-cli' : 'npm run cli --';
