import { ServiceError } from '@service/errors';
import type { AdmissionControl } from '@service/http/admission';
import { readBytes } from '@service/http/body-bytes';
import type { ByteBudget } from '@service/http/byte-budget';
import { sendMethodNotAllowed } from '@service/http/errors';
import { Router } from 'express';
import { endSessions } from './end-sessions.ts';
import { noteLogout, sessionsNamed, useLogoutToken } from './logout-token.ts';
import type { Provider } from './provider/identity-provider.ts';
import { createLogoutTurns } from './provider/provider-turns.ts';
import type { SessionWrites } from './session-writes.ts';

interface LogoutOptions {
  readonly admission: Pick<AdmissionControl, 'yieldWhile'>;
  readonly slowClients: ByteBudget;
}

const path = '/session/back-channel-logout';
const bodyBytesMax = 16_384;

/** The route by which a provider ends sessions (`docs/contract.md` 3); without one, there is no such path. */
export function createLogoutRouter(
  provider: Pick<Provider, 'readLogout'>,
  write: Pick<SessionWrites, 'ofLogout'>,
  { admission, slowClients }: LogoutOptions,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const turnOf = createLogoutTurns();
  router.post(path, async (request, response) => {
    const {
      issuer,
      jti,
      iat,
      sub: subject,
      sid: providerSession,
    } = await admission.yieldWhile(response, async () => {
      const form = await readBytes(request, { limitBytes: bodyBytesMax, slowClients });
      const token = new URLSearchParams(form.toString()).get('logout_token') ?? '';
      return provider.readLogout(token, turnOf(request)).catch((problem: unknown) => {
        if (problem instanceof ServiceError) throw problem;
        throw new ServiceError('VALIDATION_FAILED', 'The logout token is not valid.');
      });
    });
    const named = { issuer, subject, providerSession };
    await write.ofLogout(request, response, [issuer, subject ?? providerSession], async (tx, origin) => {
      await useLogoutToken(tx, issuer, jti);
      await endSessions(tx, sessionsNamed(named), origin);
      await noteLogout(tx, { ...named, issuedAt: new Date(iat * 1_000) });
    });
    response.status(200).end();
  });
  router.all(path, (request, response) => sendMethodNotAllowed(response, request.method, 'POST'));
  return router;
}
