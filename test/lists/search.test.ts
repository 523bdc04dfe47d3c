import { migrate } from '@service/postgres/migrations/migrate';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { programFilter } from '../../src/academics/rules/filters.ts';
import { orderingOf } from '../../src/academics/rules/lists.ts';
import { programPages } from '../../src/academics/sql/program-pages.ts';
import { migrations } from '../../src/database/open-postgres.ts';
import { openDatabase } from '../../src/database/prisma.ts';
import type { Database } from '../../src/database/types.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** Letters with non-trivial case or accents (Latin, Turkish, Greek, Cyrillic and others), and wildcards of LIKE. */
const pieces = [
  ..."aZ09 -%_\\'.",
  ...'éÅßẞœÆøðŁĳŉǰﬁﬀ',
  ...'iIıİ',
  ...'ςσΣάΐᾳᾼΏ',
  ...'жЙёЂІґ',
  ...'Աևქᲀ',
  ...['हि', 'न्', 'क्ष', 'ृ', 'ड़'],
  ...['بَ', 'آ', 'شِ', 'שָׁ'],
  ...'日本がﾊ한ア％＿',
  ...['🎓', '👩‍🔬', '🇮🇳', '❤️'],
];
const names = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join('').normalize('NFC').trim())
  .filter((name) => name !== '');

describe.each([
  ['the embedded PostgreSQL', ''],
  ['LC_CTYPE=C', "TEMPLATE template0 LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C' ENCODING 'UTF8'"],
  ['the Turkish locale', "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr' ENCODING 'UTF8'"],
])('in a database with the locale of %s, a search', (_locale, settings) => {
  let own: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    own = await createTestDatabase(...(settings === '' ? ([] as const) : ([null, settings] as const)));
    await migrate(own.url, migrations);
    db = openDatabase({ url: own.url });
  });
  afterAll(async () => {
    await db.$disconnect();
    await own.close();
  });

  const search = async (text: string): Promise<string[]> => {
    const filter = programFilter.parse({ search: text });
    const [page] = await programPages(db, [
      { filter, orderBy: orderingOf({ filter: {}, orderBy: 'ID_ASC' }), offset: 0, size: 100 },
    ]);
    return page?.programs.map(({ name }) => name) ?? [];
  };

  it.each([
    ['Физика', ['Физика', 'физика', 'ФИЗИКА', 'изик']],
    ['ΟΔΟΣ', ['ΟΔΟΣ', 'οδος', 'οδοσ', 'Σ', 'ς']],
    ['Straße', ['straße', 'STRASSE', 'strasse', 'STRAẞE']],
    ['İstanbul Kadıköy', ['istanbul', 'İSTANBUL', 'ISTANBUL', 'kadıköy', 'KADIKÖY', 'kadikoy']],
    ['ELECTRICITY', ['electricity', 'Electricity']],
    ['हिन्दी साहित्य', ['हिन्दी', 'साहित्य', 'हि']],
    ['Génie 🎓 Mécanique', ['genie mecanique', '🎓', 'GÉNIE']],
    ['Łódź Studies', ['lodz', 'ŁÓDŹ', 'łódz']],
    ['Đại học Xây dựng', ['dai hoc xay dung', 'ĐẠI HỌC']],
    ['Ørsted Physics', ['orsted', 'ØRSTED']],
    ['Orsted Institute', ['ørsted']],
    ['Æsthetics of Œuvres', ['aesthetics', 'oeuvres', 'æsthetics', 'ŒUVRES']],
    ['Þórður', ['thordur', 'þorður']],
    ['كلية الآداب', ['کلیه', 'كليه', 'الاداب', 'كُلِّيّة']],
    ['می\u200cخواهم', ['میخواهم', 'مي\u200cخواهم']],
    ['सम्बन्ध और हिंदी', ['संबंध', 'सम्बन्ध', 'सम्बंध', 'हिन्दी', 'हिंदी', 'हिँदी', 'हि', 'सम्बन्']],
    ['Arts & Sciences', ['arts and sciences', 'Arts & Sciences', 'and']],
    ['Law and Economics', ['law & economics']],
    ['B.Sc. Physics', ['BSc', 'bsc physics', 'B.Sc', 'B.Sc.']],
    ['MSc Botany 2.5', ['M.Sc.', '2.5', 'msc botany']],
    ['L’Hôpital’s Rule', ["L'Hopital's", 'l`hôpital´s', 'lʼhôpitalʼs']],
    ["People's Law", ['people’s']],
    ['Bio-Physics – Optics', ['bio‐physics', 'bio‑physics', 'bio−physics', '-']],
    ['Engi\u00adneering Design', ['engineering']],
    ['Engineering Drawing', ['Engi\u00adneering', 'engineer\u200bing']],
    ['خواندن ۱۴۰۲', ['1402', '١٤٠٢']],
  ])('finds %s, ignoring case and accents', async (name, searches) => {
    await own.query("INSERT INTO programs (name, duration) VALUES ($1, '1')", [name]);
    for (const text of searches) expect([text, await search(text)]).toEqual([text, expect.arrayContaining([name])]);
  });

  it('finds every name by itself, in upper and lower case, and by any substring', async () => {
    await own.query("TRUNCATE programs CASCADE; INSERT INTO programs (name, duration) VALUES ('', '1')");
    await fc.assert(
      fc.asyncProperty(names, fc.nat(), fc.nat(), async (name, one, other) => {
        await db.$executeRaw`UPDATE programs SET name = ${name}`;
        const characters = [...name];
        const from = one % characters.length;
        const part = characters.slice(from, from + 1 + (other % (characters.length - from))).join('');
        for (const text of [name, name.toUpperCase(), name.toLowerCase(), part, part.toUpperCase()]) {
          expect([text, await search(text)]).toEqual([text, [name]]);
        }
      }),
      { numRuns: inject('thorough') ? 40 : 15 },
    );
  });
});
