/** Path of the console, from its page: the service may be below a path of the host. Unit tests have no page. */
const base = typeof document === 'undefined' ? 'http://localhost/console/' : document.baseURI;

/** The path of the console, without a slash at its end. */
export const consolePath = new URL('.', base).pathname.slice(0, -1);

export const inService = (path: string): string => consolePath.replace(/\/console$/, '') + path;
