import type { RequestHandler } from 'express';

/** Express fails on `%zz`, before method and permission are checked; escaped, it is the text of a path like any other. */
export const decodablePath: RequestHandler = (request, _response, next) => {
  const { path } = request;
  if (!isDecodable(path)) request.url = path.replaceAll('%', '%25');
  next();
};

/** Its result is used: a bundler takes the call for one without effects, and leaves it out otherwise. */
function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
