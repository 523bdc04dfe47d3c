// Writes into site/dist what the service sends to browsers but for the console: pages, their assets and the OpenAPI document.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { publicFolder } from './assets.ts';
import { dataModelPage } from './docs/data-model-page.ts';
import { docsPage } from './docs/docs-page.ts';
import { guidePage } from './docs/guide-page.ts';
import { guideNames, readGuides } from './docs/guides.ts';
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
writeFile('index.html', frontPage());
writeFile('graphiql.html', graphiqlPage());
writeFile('not-found.html', notFoundPage());
writeFile('docs.html', docsPage(document, guides));
writeFile('docs/schema.html', schemaPage(guides));
writeFile('docs/data-model.html', dataModelPage(guides));
for (const name of guideNames) writeFile(`docs/${name}.html`, guidePage(name, guides));
removeOtherFiles();
