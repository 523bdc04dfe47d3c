import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

export const serviceName = 'academic-structure-service';

export const isInstalled = import.meta.dirname.split(path.sep).includes('node_modules');

/** The folder of `package.json`, above the sources and above wherever the build puts this module. */
export const packageFolder = folderOfPackage(new URL('./', import.meta.url));

export const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')));

function folderOfPackage(folder: URL): URL {
  return existsSync(new URL('package.json', folder)) ? folder : folderOfPackage(new URL('../', folder));
}

export const startCommand = isInstalled ? 'npx academic-structure-service' : 'npm start, or node dist/main.js';

export const cliCommand = isInstalled ? 'npx academic-structure-service-cli' : 'npm run cli --';
