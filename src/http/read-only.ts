import type { RequestHandler } from 'express';
import { sendMethodNotAllowed } from './send.ts';

const readMethods = ['GET', 'HEAD'];
const allowed = readMethods.join(', ');

/** For `all`, after the `get` of a path: Express by itself would respond to OPTIONS, and know no path for the others. */
export const rejectOtherMethods: RequestHandler = ({ method }, response, next) => {
  if (readMethods.includes(method)) next();
  else sendMethodNotAllowed(response, method, allowed);
};
