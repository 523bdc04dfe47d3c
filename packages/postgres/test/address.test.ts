import { expect, it } from 'vitest';
import { hostListOf, withHostsInQuery } from '../src/address.ts';

const listOf = (address: string) => hostListOf(withHostsInQuery(address));

it('an address of one host is no list', () => {
  for (const address of ['postgresql://u:p,w@a:1/x', 'postgresql://localhost/x?host=/run/a', 'postgresql:///x']) {
    expect(withHostsInQuery(address)).toBe(address);
    expect(hostListOf(address)).toBeUndefined();
  }
});

it('a list becomes one address for each host', () => {
  expect(listOf('postgresql://u:p%40s@a:1,[::1]:2,b/x?sslmode=disable&target_session_attrs=primary')).toEqual({
    addresses: [
      'postgresql://u:p%40s@localhost/x?sslmode=disable&host=a&port=1',
      'postgresql://u:p%40s@localhost/x?sslmode=disable&host=%3A%3A1&port=2',
      'postgresql://u:p%40s@localhost/x?sslmode=disable&host=b',
    ],
    target: 'primary',
    timeoutMs: 1_000,
  });
});

it('one port is that of all hosts', () => {
  expect(listOf('postgresql://localhost/x?host=a,/run/b&port=7')?.addresses).toEqual([
    'postgresql://localhost/x?host=a&port=7',
    'postgresql://localhost/x?host=%2Frun%2Fb&port=7',
  ]);
});

it('hosts in the query string take precedence, as in libpq', () => {
  expect(listOf('postgresql://c,d/x?host=a,b')?.addresses).toEqual([
    'postgresql://localhost/x?host=a',
    'postgresql://localhost/x?host=b',
  ]);
});

it('any server is accepted by default, and connect_timeout is in seconds for each host', () => {
  expect(listOf('postgresql://a,b/x?connect_timeout=3')).toMatchObject({ target: 'any', timeoutMs: 3_000 });
});

it('one host may be demanded to be the primary', () => {
  expect(listOf('postgresql://a:1/x?target_session_attrs=read-write')).toMatchObject({
    addresses: ['postgresql://a:1/x'],
    target: 'read-write',
  });
});
