import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileError } from '../src/errors.ts';
import { type ChoosableEncoding, readText } from '../src/text.ts';

/** What a file is read as, in chunks of these lengths again and again. */
async function readIn(file: Buffer, lengths: readonly number[], chosen?: ChoosableEncoding): Promise<string> {
  async function* chunks(): AsyncGenerator<Buffer> {
    let at = 0;
    for (let turn = 0; at < file.length; turn += 1) {
      const end = at + (lengths[turn % lengths.length] ?? 1);
      yield file.subarray(at, end);
      at = end;
    }
  }
  const texts: Buffer[] = [];
  let encoding = '';
  try {
    for await (const text of readText(chunks(), (name) => (encoding = name), chosen)) texts.push(text);
  } catch (problem) {
    if (problem instanceof FileError) return problem.message;
    throw problem;
  }
  return `${encoding}: ${Buffer.concat(texts).toString()}`;
}

const pieces = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('a', 'name\n', 'é', '€', '😀', 'x'.repeat(2_500)).map((one) => Buffer.from(one)),
  },
  { weight: 1, arbitrary: fc.constantFrom([0xe9], [0xc3], [0xf0, 0x9f], [0x80], [0xff], [0], [1]).map(Buffer.from) },
);
const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(1_000, 4_096, 16_384)), {
  minLength: 1,
  maxLength: 4,
});

describe('the encoding of a text', () => {
  it('is the same wherever its chunks end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 12 }), lengths, async (some, cuts) => {
        const file = Buffer.concat([Buffer.from('code\n'), ...some]);
        expect(await readIn(file, cuts)).toBe(await readIn(file, [file.length]));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([2, 20_000, 2_000_000])(
    'is UTF-8 after its first character, whatever is %i bytes later',
    async (distance) => {
      const file = Buffer.concat([Buffer.from('code\né\n'), Buffer.alloc(distance, 'x\n'), Buffer.alloc(9, 0xe9)]);
      expect(await readIn(file, [16_384])).toBe(
        `Line ${3 + distance / 2} is not UTF-8. Save the file as UTF-8 and import that.`,
      );
    },
  );

  it.each([2, 20_000, 2_000_000])(
    'is Windows-1252 if its first is no UTF-8, whatever is %i bytes later',
    async (distance) => {
      const file = Buffer.concat([Buffer.from('\xe9', 'latin1'), Buffer.alloc(distance, 'x\n'), Buffer.from('é')]);
      expect(await readIn(file, [16_384])).toMatch(/^Windows-1252: éx[\s\S]*Ã©$/);
    },
  );

  it('with most characters valid in UTF-8 is a damaged one, though the first is not', async () => {
    const file = Buffer.concat([Buffer.from('code\n'), Buffer.from([0xc3]), Buffer.from(' é à ü')]);
    expect(await readIn(file, [3])).toBe('Line 2 is not UTF-8. Save the file as UTF-8 and import that.');
  });

  it.each([
    ['Windows-1253', [0xd2]],
    ['Windows-1255', [0xd9]],
    ['Windows-1257', [0xa1]],
    ['GB18030', [0xff]],
    ['Big5', [0xa4]],
    ['Shift_JIS', [0x83]],
    ['EUC-KR', [0xc8]],
  ] as const)('that is chosen is refused with the line of bytes that %s does not have', async (encoding, bytes) => {
    const file = Buffer.concat([Buffer.from('code\none\ntwo '), Buffer.from(bytes)]);
    for (const length of [1, 7, 100]) {
      expect(await readIn(file, [length], encoding)).toBe(
        `Line 3 has bytes that are no characters of ${encoding}. Choose another encoding, or save the file as UTF-8 and import that.`,
      );
    }
    expect(await readIn(file.subarray(0, -1), [7], encoding)).toBe(`${encoding}: code\none\ntwo `);
  });

  it('that is chosen has characters of several bytes, wherever its chunks end', async () => {
    const file = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a, 0x83, 0x65]);
    for (const length of [1, 2, 3, 7]) expect(await readIn(file, [length], 'Shift_JIS')).toBe('Shift_JIS: 日本\nテ');
  });
});
