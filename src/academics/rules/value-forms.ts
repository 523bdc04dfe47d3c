import { parsedUrl } from '@service/errors';
import { attributeValueMax } from './attributes.ts';
import { truthOf } from './truth-values.ts';

/*
 * Values of attributes by the kind that is defined for them. They are stored as texts in one form, so that filters,
 * orders, undo and the audit log need not know the kind: `7` of ` 007 `, `2026-12-31`, `true`, an address with its scheme.
 */

export const attributeKinds = ['TEXT', 'CHOICE', 'WHOLE_NUMBER', 'DECIMAL', 'DATE', 'YES_NO', 'ADDRESS'] as const;
export type AttributeKind = (typeof attributeKinds)[number];

/** How many digits a number may have before its point, and after it. */
const digitsMax = 30;

const number = new RegExp(`^(?=.*\\d$)([+-]?)0*(\\d{0,${digitsMax}}?)(?:\\.(\\d{0,${digitsMax}}?)0*)?$`);

/** A number without needless zeros and signs; undefined for a text that is none, an exponent and other digits than 0–9 too. */
function canonicalNumber(text: string): string | undefined {
  const found = number.exec(text);
  if (found === null) return undefined;
  const [, sign, whole, decimals] = found;
  const digits = `${whole || '0'}${decimals ? `.${decimals}` : ''}`;
  return sign === '-' && digits !== '0' ? `-${digits}` : digits;
}

function canonicalWholeNumber(text: string): string | undefined {
  const canonical = canonicalNumber(text);
  return canonical?.includes('.') === true ? undefined : canonical;
}

/** `2026-12-31`, `31.12.2026`, and a day of a spreadsheet, which has a time: midnight. Other orders are ambiguous. */
const dateForms = [
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ]00:00(?::00(?:\.0{1,9})?)?(?:Z|[+]00:00)?)?$/,
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
];

function canonicalDate(text: string): string | undefined {
  const found = dateForms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (found === undefined) return undefined;
  const { year = '', month = '', day = '' } = found;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const read = new Date(`${date}T00:00:00Z`);
  return year !== '0000' && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(date) ? date : undefined;
}

/** An address that a browser may open: other schemes, such as `javascript:`, could run what an editor entered. */
function canonicalAddress(text: string): string | undefined {
  const address = parsedUrl(text);
  if (address === undefined) return undefined;
  const { protocol, username, password, href } = address;
  const isSafe = (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
  return isSafe && href.length <= attributeValueMax ? href : undefined;
}

interface ValueForm {
  /** The rule that a value breaks which has no canonical form. */
  readonly rule: 'NOT_A_WHOLE_NUMBER' | 'NOT_A_DECIMAL' | 'NOT_A_DATE' | 'NOT_YES_OR_NO' | 'NOT_AN_ADDRESS';
  /** The form in which a value is stored; undefined for one that is not of the kind. */
  readonly canonical: (text: string) => string | undefined;
  /** SQL condition: whether a stored value is in that form; of an address, whether it begins as one. */
  readonly isStored: (value: string) => string;
}

const storedDate = `^(?!0000)\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$`;

/** Each kind with a form of its own. A choice depends on its definition, a text is as it is. */
export const valueForms: Readonly<Record<Exclude<AttributeKind, 'TEXT' | 'CHOICE'>, ValueForm>> = {
  WHOLE_NUMBER: {
    rule: 'NOT_A_WHOLE_NUMBER',
    canonical: canonicalWholeNumber,
    isStored: (value) => `${value} ~ '^(0|-?[1-9][0-9]{0,${digitsMax - 1}})$'`,
  },
  DECIMAL: {
    rule: 'NOT_A_DECIMAL',
    canonical: canonicalNumber,
    isStored: (value) =>
      `${value} ~ '^-?(0|[1-9][0-9]{0,${digitsMax - 1}})(\\.[0-9]{0,${digitsMax - 1}}[1-9])?$' AND ${value} <> '-0'`,
  },
  DATE: {
    rule: 'NOT_A_DATE',
    canonical: canonicalDate,
    // The last day of its month is compared only with a text that make_date accepts.
    isStored: (value) => `CASE WHEN ${value} ~ '${storedDate}' THEN right(${value}, 2)::int <=
      date_part('day', make_date(left(${value}, 4)::int, substr(${value}, 6, 2)::int, 1) + interval '1 month - 1 day')
      ELSE false END`,
  },
  YES_NO: {
    rule: 'NOT_YES_OR_NO',
    canonical: (text) => truthOf(text)?.toString(),
    isStored: (value) => `${value} IN ('true', 'false')`,
  },
  ADDRESS: {
    rule: 'NOT_AN_ADDRESS',
    canonical: canonicalAddress,
    isStored: (value) => `${value} ~ '^https?://[!-.0-~]+/[!-~]*$'`,
  },
};
