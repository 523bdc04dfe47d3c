import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectAccepted, type JwksFixture, never, openJwksFixture } from '../support/jwks-fixture.ts';
import { fixed, hang, type JwksServer, startJwksServer } from '../support/jwks-server.ts';
import { expectRejection, goodClaims, makeSigningKey, type SigningKey } from '../support/tokens.ts';

const unreadable = (reason: string) =>
  `The keys at JWT_JWKS_URL could not be read (${reason}); those known so far stay in use.`;

let first: SigningKey;
let second: SigningKey;
let scene: JwksFixture;

beforeAll(async () => {
  [first, second] = await Promise.all([makeSigningKey('ES256', 'first'), makeSigningKey('ES256', 'second')]);
});

beforeEach(async () => {
  scene = await openJwksFixture([first.publicJwk]);
});

afterEach(() => scene.close());

describe('a host that is down', () => {
  it('does not keep the service from starting, and is asked again when a token comes', async () => {
    await scene.host.goDown();
    const verifier = scene.openVerifier();
    await vi.waitFor(() => expect(scene.warnings).toEqual([unreadable('ECONNREFUSED')]));
    await scene.host.comeUp();

    await expectAccepted(verifier, await first.sign());
  });

  it('leaves the known keys at work, however often a refresh fails', async () => {
    const verifier = scene.openVerifier({ refreshMs: 10, cooldownMs: 0 });
    const [token, newToken] = await Promise.all([first.sign(), second.sign()]);
    await expectAccepted(verifier, token);
    await scene.host.goDown();

    await vi.waitFor(() => expect(scene.warnings.length).toBeGreaterThan(5), 10_000);

    await expectAccepted(verifier, token);
    await expectRejection(verifier, newToken);
    await scene.host.comeUp();
    scene.host.keys = [second.publicJwk];
    await vi.waitFor(() => expectAccepted(verifier, newToken), 10_000);
    await vi.waitFor(() => expectRejection(verifier, token), 10_000);
  });

  it('is warned of once in 10 seconds', async () => {
    await scene.host.goDown();
    const verifier = scene.openVerifier();
    for (let n = 0; n < 20; n += 1) await expectRejection(verifier, await first.sign());
    expect(scene.warnings).toEqual([unreadable('ECONNREFUSED')]);

    scene.passTime(10_000);
    await expectRejection(verifier, await first.sign());
    expect(scene.warnings).toEqual([unreadable('ECONNREFUSED'), unreadable('ECONNREFUSED')]);
  });
});

describe('a host that hangs', () => {
  it('lets known keys pass at once while unknown ones wait for one answer together', async () => {
    const verifier = scene.openVerifier({ downloadMs: never });
    await expectAccepted(verifier, await first.sign());
    scene.host.answer = hang;
    let settled = 0;
    const waiting = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const token = await second.sign();
        return { refusal: expectRejection(verifier, token).finally(() => (settled += 1)) };
      }),
    );
    await scene.host.asked(2);

    await expectAccepted(verifier, await first.sign());
    expect({ settled, requests: scene.host.requests }).toEqual({ settled: 0, requests: 2 });

    verifier.close();
    await Promise.all(waiting.map(({ refusal }) => refusal));
    expect(scene.warnings).toEqual([]);
  });

  it('keeps no token waiting longer than a download may take', async () => {
    scene.host.answer = hang;
    const verifier = scene.openVerifier({ downloadMs: 50 });

    await expectRejection(verifier, await first.sign());
    await expectRejection(verifier, await first.sign());

    expect({ requests: scene.host.requests, warnings: scene.warnings }).toEqual({
      requests: 2,
      warnings: [unreadable('the host took longer than 50 ms')],
    });
  });

  it('is not asked again before it was given up', async () => {
    scene.host.answer = hang;

    await expectRejection(scene.openVerifier({ downloadMs: 100, refreshMs: 1 }), await first.sign());

    expect(scene.host.requests).toBeLessThanOrEqual(2);
  });

  it('in the middle of its answer is given up as well', async () => {
    scene.host.answer = (_request, response) => response.writeHead(200).write('{"keys":');

    await expectRejection(scene.openVerifier({ downloadMs: 50 }), await first.sign());

    expect(scene.warnings).toEqual([unreadable('the host took longer than 50 ms')]);
  });
});

describe('an answer that is no key set', () => {
  const large = () => JSON.stringify({ keys: [second.publicJwk], fill: 'x'.repeat(262_144) });

  it.each([
    ['the host answered 500', () => fixed(500, '{"keys":[]}')],
    ['the host answered 404', () => fixed(404, '')],
    ['the host answered 204', () => fixed(204, '')],
    ['the answer is not JSON', () => fixed(200, '<html>')],
    ['the answer is not JSON', () => fixed(200, '')],
    ['the answer is not a JSON Web Key Set', () => fixed(200, '[]')],
    ['the answer is not a JSON Web Key Set', () => fixed(200, 'null')],
    ['the answer is not a JSON Web Key Set', () => fixed(200, '{"keys":{}}')],
    ['the answer is larger than 262144 bytes', () => fixed(200, large())],
    ['UND_ERR_SOCKET', (): JwksServer['answer'] => (request) => request.socket.destroy()],
  ])('changes nothing: %s', async (reason, answer) => {
    const verifier = scene.openVerifier();
    await expectAccepted(verifier, await first.sign());
    scene.host.answer = answer();

    await expectRejection(verifier, await second.sign());

    await expectAccepted(verifier, await first.sign());
    expect(scene.warnings).toEqual([unreadable(reason)]);
  });

  it('is not read beyond its largest size, though it never ends', async () => {
    const verifier = scene.openVerifier({ downloadMs: never });
    await expectAccepted(verifier, await first.sign());
    scene.host.answer = (_request, response) => {
      const chunk = 'x'.repeat(65_536);
      const pour = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
    };

    await expectRejection(verifier, await second.sign());

    expect(scene.warnings).toEqual([unreadable('the answer is larger than 262144 bytes')]);
  });

  it('is not read at all when its status is another, and its connection ends', async () => {
    const ended = new Promise((resolve) => {
      scene.host.answer = (_request, response) => response.on('close', resolve).writeHead(500).write('never the end');
    });
    scene.openVerifier({ downloadMs: never });

    await ended;

    expect(scene.warnings).toEqual([unreadable('the host answered 500')]);
  });

  it('is a redirect, which nobody follows', async () => {
    const elsewhere = await startJwksServer([second.publicJwk]);
    const verifier = scene.openVerifier();
    await expectAccepted(verifier, await first.sign());
    scene.host.answer = fixed(302, '', { location: elsewhere.url });

    await expectRejection(verifier, await second.sign());

    expect({ requests: elsewhere.requests, warnings: scene.warnings }).toEqual({
      requests: 0,
      warnings: [unreadable('the host answered 302')],
    });
    await elsewhere.goDown();
  });
});

describe('a warning', () => {
  it('shows nothing of the address or the token', async () => {
    await scene.host.goDown();
    const url = scene.host.url.replace('http://', 'http://user:password-on-show@').concat('?key=query-on-show');

    await expectRejection(scene.openVerifier({}, url), await first.sign(goodClaims, { kid: 'kid-on-show' }));

    expect(scene.warnings).toEqual([unreadable('the request failed')]);
  });
});

describe('the end', () => {
  it('stops all downloads; known keys still work, unknown ones are refused', async () => {
    const verifier = scene.openVerifier();
    await expectAccepted(verifier, await first.sign());

    verifier.close();
    verifier.close();

    await expectAccepted(verifier, await first.sign());
    await expectRejection(verifier, await second.sign());
    expect(scene.host.requests).toBe(1);
  });

  it('stops the refresh in the background', async () => {
    const elsewhere = await startJwksServer();
    const verifier = scene.openVerifier({ refreshMs: 5 });
    await scene.host.asked(2);
    await expectAccepted(verifier, await first.sign());
    verifier.close();
    const { requests } = scene.host;

    scene.openVerifier({ refreshMs: 5 }, elsewhere.url);
    await elsewhere.asked(10);

    // The last one before the end may have been on its way.
    expect(scene.host.requests).toBeLessThanOrEqual(requests + 1);
    await elsewhere.goDown();
  });

  it('of the process is not delayed by a verifier that nobody closed', async () => {
    scene.host.answer = hang;
    const source = new URL('../../src/auth/jwt/verifier.ts', import.meta.url).href;
    const options = { JWT_JWKS_URL: scene.host.url, JWT_ROLES_CLAIM: 'roles' };
    const script = `import { createTokenVerifier } from '${source}';
      createTokenVerifier({ ...${JSON.stringify(options)}, warn: (message) => process.stdout.write(message) });`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });

    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said).toBe(unreadable('the host took longer than 2000 ms'));
  });
});
