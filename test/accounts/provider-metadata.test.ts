import { Configuration } from 'openid-client';
import { expect, test } from 'vitest';
import { createProviderMetadata } from '../../src/accounts/sessions/provider/provider-metadata.ts';

const issuer = 'https://login.example.edu';
const minuteMs = 60_000;

/** Metadata of a provider whose algorithm, answers and clock a test sets. */
function metadataAt() {
  const provider = { alg: 'RS256', isAway: false, asked: 0 };
  let nowMs = 1_000_000;
  const discover = async (): Promise<Configuration> => {
    provider.asked += 1;
    if (provider.isAway) throw new Error('away');
    return new Configuration({ issuer, id_token_signing_alg_values_supported: [provider.alg] }, 'client');
  };
  const metadata = createProviderMetadata(discover, () => nowMs);
  return {
    provider,
    metadata,
    algorithm: async () => (await metadata.current()).serverMetadata().id_token_signing_alg_values_supported?.join(' '),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('metadata are read once, and after a failure of that at the next sign-in', async () => {
  const { provider, algorithm } = metadataAt();
  provider.isAway = true;
  await expect(algorithm()).rejects.toThrow('away');
  provider.isAway = false;
  expect([await algorithm(), await algorithm()]).toEqual(['RS256', 'RS256']);
  expect(provider.asked).toBe(2);
});

test('after a failure of validation they are read again, once a minute for all', async () => {
  const { provider, metadata, algorithm, pass } = metadataAt();
  await algorithm();
  provider.alg = 'ES256';
  expect(await Promise.all([metadata.haveChanged(), metadata.haveChanged()])).toEqual([true, true]);
  expect([await algorithm(), provider.asked]).toEqual(['ES256', 2]);

  provider.alg = 'EdDSA';
  pass(minuteMs - 1);
  expect([await metadata.haveChanged(), provider.asked]).toEqual([false, 2]);
  pass(1);
  expect([await metadata.haveChanged(), await algorithm()]).toEqual([true, 'EdDSA']);
  pass(minuteMs);
  expect([await metadata.haveChanged(), provider.asked]).toEqual([false, 4]);
});

test('after some hours they are read again beside a sign-in, which does not wait', async () => {
  const { provider, algorithm, pass } = metadataAt();
  await algorithm();
  provider.alg = 'ES256';
  pass(6 * 60 * minuteMs);
  expect([await algorithm(), provider.asked]).toEqual(['RS256', 1]);
  pass(1);
  expect(await algorithm()).toBe('RS256');
  await expect.poll(algorithm).toBe('ES256');
  expect(provider.asked).toBe(2);
});

test('known ones stay in use while the provider is away', async () => {
  const { provider, metadata, algorithm, pass } = metadataAt();
  await algorithm();
  provider.isAway = true;
  expect(await metadata.haveChanged()).toBe(false);
  pass(7 * 60 * minuteMs);
  expect([await algorithm(), await algorithm()]).toEqual(['RS256', 'RS256']);
});
