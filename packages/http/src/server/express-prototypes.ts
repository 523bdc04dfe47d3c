import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

export type MessageClasses = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

/**
 * Express sets the prototype of each message, and from then on V8 has two hidden classes wherever Node handles one:
 * even responses that Express never sees take a third longer. Created with its prototype, a message keeps its class.
 *
 * Node hands over the socket of every request that offers an upgrade, to any protocol on any path, and takes its
 * timeouts away. Here only those that `isUpgrade` accepts leave HTTP: an upgrade is optional (RFC 9110, 7.8). Node 24.9
 * has the option `shouldUpgradeCallback` for it; earlier ones read the property `upgrade` at the same place.
 */
export function messageClassesFor(app: Express, isUpgrade: (request: IncomingMessage) => boolean): MessageClasses {
  class AppRequest extends IncomingMessage {
    private offersUpgrade: boolean | null = null;

    get upgrade(): boolean {
      return this.offersUpgrade === true && (this.method === 'CONNECT' || isUpgrade(this));
    }

    set upgrade(offered: boolean | null) {
      this.offersUpgrade = offered;
    }
  }
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
