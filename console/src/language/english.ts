import { speak } from './language.ts';

// Unit tests are in English.
await speak('en');
