import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectRejection, goodClaims, makeSigningKey, type SigningKey } from '../../support/credentials/tokens.ts';
import { within } from '../../support/running-time.ts';
import { expectAccepted, type JwksFixture, never, openJwksFixture } from './jwks-fixture.ts';
import { fixed, hang, type JwksServer, startJwksServer } from './jwks-server.ts';

const unreadable = (reason: string) =>
  `The keys at JWT_JWKS_URL could not be read (${reason}); those known so far stay in use.`;

let first: SigningKey;
let second: SigningKey;
let fixture: JwksFixture;

beforeAll(async () => {
  [first, second] = await Promise.all([makeSigningKey('ES256', 'first'), makeSigningKey('ES256', 'second')]);
});

beforeEach(async () => {
  fixture = await openJwksFixture([first.publicJwk]);
});

afterEach(() => fixture.close());

describe('a host that is down', () => {
  it('does not prevent the start, and is queried again when a token arrives', async () => {
    await fixture.host.goDown();
    const verifier = fixture.openVerifier();
    await within(1_000, () => expect(fixture.warnings).toEqual([unreadable('ECONNREFUSED')]));
    await fixture.host.comeUp();

    await expectAccepted(verifier, await first.sign());
  });

  it('does not affect known keys, however often a refresh fails', async () => {
    const verifier = fixture.openVerifier({ refreshMs: 10, cooldownMs: 0 });
    const [token, newToken] = await Promise.all([first.sign(), second.sign()]);
    await expectAccepted(verifier, token);
    await fixture.host.goDown();

    await within(10_000, () => expect(fixture.warnings.length).toBeGreaterThan(5));

    await expectAccepted(verifier, token);
    await expectRejection(verifier, newToken);
    await fixture.host.comeUp();
    fixture.host.keys = [second.publicJwk];
    await within(10_000, () => expectAccepted(verifier, newToken));
    await within(10_000, () => expectRejection(verifier, token));
  });

  it('is logged at most once per 10 seconds', async () => {
    await fixture.host.goDown();
    const verifier = fixture.openVerifier();
    for (let n = 0; n < 20; n += 1) await expectRejection(verifier, await first.sign());
    expect(fixture.warnings).toEqual([unreadable('ECONNREFUSED')]);

    fixture.advanceTime(10_000);
    await expectRejection(verifier, await first.sign());
    expect(fixture.warnings).toEqual([unreadable('ECONNREFUSED'), unreadable('ECONNREFUSED')]);
  });
});

describe('a host that hangs', () => {
  it('does not delay known keys while tokens with unknown keys share one request', async () => {
    const verifier = fixture.openVerifier({ downloadMs: never });
    await expectAccepted(verifier, await first.sign());
    fixture.host.handler = hang;
    let settled = 0;
    const waiting = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const token = await second.sign();
        return { rejection: expectRejection(verifier, token).finally(() => (settled += 1)) };
      }),
    );
    await fixture.host.waitForRequests(2);

    await expectAccepted(verifier, await first.sign());
    expect({ settled, requests: fixture.host.requests }).toEqual({ settled: 0, requests: 2 });

    verifier.close();
    await Promise.all(waiting.map(({ rejection }) => rejection));
    expect(fixture.warnings).toEqual([]);
  });

  it('delays a token no longer than the download timeout', async () => {
    fixture.host.handler = hang;
    const verifier = fixture.openVerifier({ downloadMs: 50 });

    await expectRejection(verifier, await first.sign());
    await expectRejection(verifier, await first.sign());

    expect({ requests: fixture.host.requests, warnings: fixture.warnings }).toEqual({
      requests: 2,
      warnings: [unreadable('the host took longer than 50 ms')],
    });
  });

  it('is not queried again before the download timed out', async () => {
    fixture.host.handler = hang;

    await expectRejection(fixture.openVerifier({ downloadMs: 100, refreshMs: 1 }), await first.sign());

    expect(fixture.host.requests).toBeLessThanOrEqual(2);
  });

  it('times out also in the middle of a response', async () => {
    fixture.host.handler = (_request, response) => response.writeHead(200).write('{"keys":');

    await expectRejection(fixture.openVerifier({ downloadMs: 50 }), await first.sign());

    expect(fixture.warnings).toEqual([unreadable('the host took longer than 50 ms')]);
  });
});

describe('an invalid key set response', () => {
  const large = () => JSON.stringify({ keys: [second.publicJwk], fill: 'x'.repeat(262_144) });

  it.each([
    ['the host responded with 500', () => fixed(500, '{"keys":[]}')],
    ['the host responded with 404', () => fixed(404, '')],
    ['the host responded with 204', () => fixed(204, '')],
    ['the response is not JSON', () => fixed(200, '<html>')],
    ['the response is not JSON', () => fixed(200, '')],
    ['the response is not a JSON Web Key Set', () => fixed(200, '[]')],
    ['the response is not a JSON Web Key Set', () => fixed(200, 'null')],
    ['the response is not a JSON Web Key Set', () => fixed(200, '{"keys":{}}')],
    ['the response is larger than 262144 bytes', () => fixed(200, large())],
    ['UND_ERR_SOCKET', (): JwksServer['handler'] => (request) => request.socket.destroy()],
  ])('is ignored: %s', async (reason, handler) => {
    const verifier = fixture.openVerifier();
    await expectAccepted(verifier, await first.sign());
    fixture.host.handler = handler();

    await expectRejection(verifier, await second.sign());

    await expectAccepted(verifier, await first.sign());
    expect(fixture.warnings).toEqual([unreadable(reason)]);
  });

  it('is not read beyond the maximum size, even if it never ends', async () => {
    const verifier = fixture.openVerifier({ downloadMs: never });
    await expectAccepted(verifier, await first.sign());
    fixture.host.handler = (_request, response) => {
      const chunk = 'x'.repeat(65_536);
      const pour = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
    };

    await expectRejection(verifier, await second.sign());

    expect(fixture.warnings).toEqual([unreadable('the response is larger than 262144 bytes')]);
  });

  it('is not read when its status is not 200, and its connection is closed', async () => {
    const ended = new Promise((resolve) => {
      fixture.host.handler = (_request, response) =>
        response.on('close', resolve).writeHead(500).write('never the end');
    });
    fixture.openVerifier({ downloadMs: never });

    await ended;

    expect(fixture.warnings).toEqual([unreadable('the host responded with 500')]);
  });

  it('may be a redirect, which is not followed', async () => {
    const otherHost = await startJwksServer([second.publicJwk]);
    const verifier = fixture.openVerifier();
    await expectAccepted(verifier, await first.sign());
    fixture.host.handler = fixed(302, '', { location: otherHost.url });

    await expectRejection(verifier, await second.sign());

    expect({ requests: otherHost.requests, warnings: fixture.warnings }).toEqual({
      requests: 0,
      warnings: [unreadable('the host responded with 302')],
    });
    await otherHost.goDown();
  });
});

describe('a warning', () => {
  it('contains neither the URL nor the token', async () => {
    await fixture.host.goDown();
    const url = fixture.host.url.replace('http://', 'http://user:password-on-show@').concat('?key=query-on-show');

    await expectRejection(fixture.openVerifier({}, url), await first.sign(goodClaims, { kid: 'kid-on-show' }));

    expect(fixture.warnings).toEqual([unreadable('the request failed')]);
  });
});

describe('closing the verifier', () => {
  it('stops all downloads; known keys still work, unknown ones are rejected', async () => {
    const verifier = fixture.openVerifier();
    await expectAccepted(verifier, await first.sign());

    verifier.close();
    verifier.close();

    await expectAccepted(verifier, await first.sign());
    await expectRejection(verifier, await second.sign());
    expect(fixture.host.requests).toBe(1);
  });

  it('stops the background refresh', async () => {
    const otherHost = await startJwksServer();
    const verifier = fixture.openVerifier({ refreshMs: 5 });
    await fixture.host.waitForRequests(2);
    await expectAccepted(verifier, await first.sign());
    verifier.close();
    const { requests } = fixture.host;

    fixture.openVerifier({ refreshMs: 5 }, otherHost.url);
    await otherHost.waitForRequests(10);

    // One request may have been in flight.
    expect(fixture.host.requests).toBeLessThanOrEqual(requests + 1);
    await otherHost.goDown();
  });

  it('is not needed for the process to exit', async () => {
    fixture.host.handler = hang;
    const source = new URL('../../../src/accounts/jwt/verifier.ts', import.meta.url).href;
    const options = { JWT_JWKS_URL: fixture.host.url, JWT_ROLES_CLAIM: 'roles' };
    const script = `import { createJwtVerifier } from '${source}';
      createJwtVerifier({ ...${JSON.stringify(options)}, warn: (message) => process.stdout.write(message) });`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });

    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stdout).toBe(unreadable('the host took longer than 2000 ms'));
  });
});
