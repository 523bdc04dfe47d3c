import { describe, expect, it } from 'vitest';
import { configWarnings, variables } from '../../src/config.ts';

const warned = (...names: string[]): string[] =>
  configWarnings(Object.fromEntries(names.map((name) => [name, 'hunter2'])));
const sentence = (given: string, meant: string): string =>
  `${given} is not a variable of this service: is ${meant} meant?`;

describe('a variable whose name is nearly one of the service', () => {
  it.each([
    ['JWT_SECERT', 'JWT_SECRET'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['jwt_issuer', 'JWT_ISSUER'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['BOOTSTRAP_APIKEY', 'BOOTSTRAP_API_KEY'],
    ['TRUST_PROXY_HOPS', 'TRUSTED_PROXY_HOPS'],
  ])('is warned of: %s', (given, meant) => {
    expect(warned(given, 'PATH')).toEqual([sentence(given, meant)]);
  });

  it('is not reported when that one is set, too', () => {
    expect(warned('DATABASE_URLS', 'DATABASE_URL')).toEqual([]);
  });
});

it('no other variable is reported, whether of the service or of others', () => {
  const others = [
    'PATH',
    'HOME',
    'HOSTNAME',
    'POST',
    'SHELL',
    'LOGNAME',
    'TEST_DATABASE_URL',
    'PGDATA',
    'JWT',
    'OTEL_SERVICE_NAME',
  ];
  expect(warned(...others)).toEqual([]);
  expect(warned(...Object.keys(variables))).toEqual([]);
});
