// Writes into site/dist what the service sends to browsers but for the console: pages, their assets and the OpenAPI document.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { renderAt } from './address.ts';
import { publicFolder } from './assets.ts';
import { dataModelPage } from './docs/data-model-page.ts';
import { docsPage } from './docs/docs-page.ts';
import { guidePage } from './docs/guide-page.ts';
import { dataModelPath, docsPath, guideNames, guidePath, readGuides, schemaPath } from './docs/guides.ts';
import { schemaPage } from './docs/schema-page.ts';
import { removeOtherFiles, writeFile } from './files.ts';
import { frontPage } from './front-page.ts';
import { graphiqlPage } from './graphiql/graphiql.ts';
import { notFoundPage } from './not-found-page.ts';
import type { OpenApiDocument } from './openapi/types.ts';

const openApi = readFileSync(path.join(import.meta.dirname, '..', 'openapi.json'), 'utf8');
// A test proves that `site/openapi` generates the same.
const document: OpenApiDocument = JSON.parse(openApi);
const guides = readGuides();

writeFile('openapi.json', openApi);
writeFile('favicon.ico', readFileSync(path.join(publicFolder, 'favicon.ico')));
writeFile('index.html', renderAt('/', frontPage));
writeFile('graphiql.html', renderAt('/graphql', graphiqlPage));
// At any address: its `<base>` says where its links begin.
writeFile('not-found.html', renderAt('/', notFoundPage));
writeFile(
  'docs.html',
  renderAt(docsPath, () => docsPage(document, guides)),
);
writeFile(
  'docs/schema.html',
  renderAt(schemaPath, () => schemaPage(guides)),
);
writeFile(
  'docs/data-model.html',
  renderAt(dataModelPath, () => dataModelPage(guides)),
);
for (const name of guideNames) {
  const page = renderAt(guidePath(name), () => guidePage(name, guides));
  writeFile(`docs/${name}.html`, page);
}
removeOtherFiles();
