import type { RequestHandler } from 'express';

/** Express fails on `%zz`, before method and permission are checked; escaped, it is the text of a path like any other. */
export const decodablePath: RequestHandler = (request, _response, next) => {
  const { path, url } = request;
  try {
    decodeURIComponent(path);
  } catch {
    const query = url.indexOf('?');
    request.url = path.replaceAll('%', '%25') + (query === -1 ? '' : url.slice(query));
  }
  next();
};
