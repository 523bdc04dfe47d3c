import { expect, it } from 'vitest';
import { createCredentialMask, maskForRequest } from '../src/untrusted-text.ts';

const mask = createCredentialMask('key_');

it.each([
  ['/a/eyJhbGciOi.eyJzdWIi.c2lnbg', '/a/[credential]'],
  ['eyJh.eyJz.', '[credential]'],
  ['a.xeyJh.b.c-d_e.f g', 'a.x[credential].f g'],
  ['eyJeyJa.b.c,eyJd.e.f', '[credential],[credential]'],
  ['key_0123456789abcdef', '[credential]'],
  ['eyJ.a.b', 'eyJ.a.b'],
  ['eyJa..b', 'eyJa..b'],
  ['eyJa.b', 'eyJa.b'],
  ['key_01234 eyes', 'key_01234 eyes'],
])('masks credentials in %j', (text, masked) => {
  expect(mask(text)).toBe(masked);
});

it('masks a long text in linear time', () => {
  const before = process.cpuUsage();
  for (const part of ['eyJ', 'eyJ.', 'eyJa.b.', 'key_', '.', 'a']) mask(part.repeat(100_000));
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(2_000_000);
});

it.each([
  [{ 'x-api-key': 'chosen-by-an-operator-0123' }, '/a/chosen-by-an-operator-0123/b', '/a/[credential]/b'],
  [{ 'x-api-key': 'Bearer chosen/by-an-operator-0123 ' }, '/a/chosen%2Fby-an-operator-0123', '/a/[credential]'],
  [{ authorization: 'Bearer chosen_by_an_operator_0123' }, 'chosen_by_an_operator_0123', '[credential]'],
  [{ authorization: 'Bearer chosen_by_an_operator_0123' }, 'chosen_by_an_operator_01', '[credential]'],
  [{ 'x-api-key': 'chosen-by-an-operator-0123' }, '/a/key_0123456789abcdef', '/a/[credential]'],
  [{ 'x-api-key': 'short' }, '/a/short', '/a/short'],
  [{}, '/a/chosen-by-an-operator-0123', '/a/chosen-by-an-operator-0123'],
])('masks the credentials that a request has: %j in %j', (headers, text, masked) => {
  expect(maskForRequest(mask, headers)(text)).toBe(masked);
});
