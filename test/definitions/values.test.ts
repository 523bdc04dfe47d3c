import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributeKinds, valueForms } from '../../src/academics/rules/value-forms.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

const kinds = attributeKinds.filter((kind) => kind !== 'TEXT' && kind !== 'CHOICE');

/** How each kind stores an input; what it refuses is absent. */
const forms: Readonly<Record<string, Partial<Record<(typeof kinds)[number], string>>>> = {
  '007': { WHOLE_NUMBER: '7', DECIMAL: '7' },
  '-0': { WHOLE_NUMBER: '0', DECIMAL: '0' },
  '-0.50': { DECIMAL: '-0.5' },
  '+7': { WHOLE_NUMBER: '7', DECIMAL: '7' },
  '4.0': { WHOLE_NUMBER: '4', DECIMAL: '4' },
  '.5': { DECIMAL: '0.5' },
  '5.': {},
  '-': {},
  '1': { WHOLE_NUMBER: '1', DECIMAL: '1', YES_NO: 'true' },
  '1e3': {},
  '1E+03': {},
  '٣': {},
  '1,5': {},
  '0x10': {},
  NaN: {},
  [`${'0'.repeat(40)}1`]: { WHOLE_NUMBER: '1', DECIMAL: '1' },
  ['1'.repeat(31)]: {},
  '2026-12-31': { DATE: '2026-12-31' },
  '31.12.2026': { DATE: '2026-12-31' },
  '1.2.2026': { DATE: '2026-02-01' },
  '2024-02-29': { DATE: '2024-02-29' },
  '2026-02-29': {},
  '2026-12-31T00:00:00.000Z': { DATE: '2026-12-31' },
  '2026-12-31 00:00:00': { DATE: '2026-12-31' },
  '2026-12-31T08:00:00Z': {},
  '12/31/2026': {},
  '0000-01-01': {},
  '46387': { WHOLE_NUMBER: '46387', DECIMAL: '46387' },
  VRAI: { YES_NO: 'true' },
  Sí: { YES_NO: 'true' },
  falsch: { YES_NO: 'false' },
  maybe: {},
  'HTTPS://é.example/': { ADDRESS: 'https://xn--9ca.example/' },
  'http://a.example': { ADDRESS: 'http://a.example/' },
  'https://a.example/x y?z=é#é': { ADDRESS: 'https://a.example/x%20y?z=%C3%A9#%C3%A9' },
  'https://user:word@a.example/': {},
  'javascript:alert(1)': {},
  'JavaScript://a.example/%0aalert(1)': {},
  'data:text/html,x': {},
  'www.example.org': {},
  [`https://a.example/${'é'.repeat(100)}`]: {},
};

const isStored = async (kind: (typeof kinds)[number], values: readonly string[]): Promise<unknown[]> =>
  (
    await database.query(`SELECT ${valueForms[kind].isStored('value')} AS stored
      FROM json_array_elements_text('${JSON.stringify(values).replaceAll("'", "''")}') WITH ORDINALITY AS of (value, place)
      ORDER BY place`)
  ).map(({ stored }) => stored);

describe.each(kinds)('a value of the kind %s', (kind) => {
  const { canonical } = valueForms[kind];

  it('is stored in one form, or refused', () => {
    const found = Object.fromEntries(Object.keys(forms).map((text) => [text, canonical(text)]));
    expect(found).toEqual(Object.fromEntries(Object.entries(forms).map(([text, stored]) => [text, stored[kind]])));
  });

  it('has the same form however often it is asked for', () => {
    const address = 'HTTPS://é.example/';
    const found = new Set(Array.from({ length: 30_000 }, () => canonical(address)));
    expect([...found]).toEqual([forms[address]?.[kind]]);
  });

  it('is a problem in the database when it is not in that form', async () => {
    const inputs = fc.sample(
      fc.oneof(
        fc.constantFrom(...Object.keys(forms)),
        fc.stringMatching(/^[-+]?[0-9]{0,3}(?:\.[0-9]{0,3})?$/),
        fc.stringMatching(/^[0-9]{4}-[0-3][0-9]-[0-3][0-9]$/),
        fc
          .date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') })
          .map((date) => date.toISOString().slice(0, 10)),
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
      ),
      { numRuns: 600, seed: 3 },
    );
    const stored = inputs.flatMap((text) => canonical(text) ?? []);
    expect(stored.map((text) => canonical(text))).toEqual(stored);
    expect(new Set(await isStored(kind, stored))).toEqual(new Set([true]));
    if (kind === 'ADDRESS') {
      const refused = inputs.filter(
        (text) => canonical(text) === undefined && !text.includes('@') && text.length < 200,
      );
      return expect(new Set(await isStored(kind, refused))).toEqual(new Set([false]));
    }
    return expect(await isStored(kind, inputs)).toEqual(inputs.map((text) => canonical(text) === text));
  });
});
