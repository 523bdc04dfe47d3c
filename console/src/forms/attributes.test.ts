import { expect, it } from 'vitest';
import { withAttributes } from './attributes.ts';

it('sends attributes as a list, the text of a number as a number, and every other field as it is', () => {
  expect(
    withAttributes({ name: '4', years: '4', codeIsNumeric: true, 'attributes.level': 'UG', 'attributes.campus': '' }),
  ).toEqual({
    name: '4',
    years: 4,
    codeIsNumeric: true,
    attributes: [
      { key: 'level', value: 'UG' },
      { key: 'campus', value: null },
    ],
  });
  expect(withAttributes({ years: '' })).toEqual({ years: null });
  expect(withAttributes({ years: 3 })).toEqual({ years: 3 });
});
