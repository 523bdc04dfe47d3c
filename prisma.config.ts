import { defineConfig } from 'prisma/config';

// `prisma generate` asks for an engine binary that it does not use, and would download one.
if (process.argv.includes('generate')) process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;

export default defineConfig({ schema: 'prisma/schema.prisma' });
