import { describe, expect, it } from 'vitest';
import { adminKey, useServer } from '../support/server.ts';
import { goodClaims, secret, secretToken } from '../support/tokens.ts';

const server = useServer({ JWT_SECRET: secret });

const request = async (credential: string) =>
  (
    await server.graphql(
      '{ viewer { name role permissions readOnly key { id prefix name expiresAt } } }',
      {},
      credential,
    )
  ).body;

describe('viewer', () => {
  it('returns an administrator with all permissions, and the key', async () => {
    expect(await request(adminKey)).toEqual({
      data: {
        viewer: {
          name: 'admin',
          role: 'ADMIN',
          permissions: ['PROGRAMS_READ', 'PROGRAMS_WRITE', 'ADMIN'],
          readOnly: false,
          key: { id: expect.any(Number), prefix: expect.any(String), name: expect.any(String), expiresAt: null },
        },
      },
    });
  });

  it('returns the user of an expiring read-only key, without permissions', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const key = await server.makeKey({ user: 'ada', role: 'guest', readOnly: true, expiresAt });
    const { viewer } = (await request(key)).data;
    expect(viewer).toMatchObject({ name: 'ada', role: 'GUEST', permissions: [], readOnly: true });
    expect(viewer.key).toMatchObject({ prefix: key.slice(0, viewer.key.prefix.length) });
    expect(Date.parse(viewer.key.expiresAt)).toBe(expiresAt.getTime());
  });

  it('returns the subject of a token, with its highest role and no key', async () => {
    const exp = Math.floor(Date.now() / 1_000) + 3_600;
    expect((await request(secretToken({ ...goodClaims, roles: ['viewer', 'editor'], exp }))).data.viewer).toEqual({
      name: 'ada',
      role: 'EDITOR',
      permissions: ['PROGRAMS_READ', 'PROGRAMS_WRITE'],
      readOnly: false,
      key: null,
    });
  });

  it('returns no role for a disabled user', async () => {
    const key = await server.makeKey({ user: 'gone', role: 'admin', disabled: true });
    expect((await request(key)).data.viewer).toMatchObject({ name: 'gone', role: null, permissions: [] });
  });
});
