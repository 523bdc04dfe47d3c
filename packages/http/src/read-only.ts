import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { sendMethodNotAllowed } from './send.ts';

const readMethods = ['GET', 'HEAD'];
const allowed = readMethods.join(', ');

export const isRead = ({ method = '' }: Pick<IncomingMessage, 'method'>): boolean => readMethods.includes(method);

/** For `all`, after the `get` of a path: Express by itself would respond to OPTIONS, and know no path for the others. */
export const rejectOtherMethods: RequestHandler = (request, response, next) => {
  if (isRead(request)) next();
  else sendMethodNotAllowed(response, request.method, allowed);
};
