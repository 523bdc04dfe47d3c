#!/usr/bin/env node

import '../node-version.js';

await import('../cli/main.ts');
