/** Within one line: the time is linear in the length of the document. */
const firstName = /^[^\S\n]*(?:query|mutation|subscription)[^\S\n]+(\w{1,100})/m;
/** Others, which no operation can have, could forge lines of the log. */
const loggable = /^\w{1,100}$/;

/** The name of an operation, for the log: as the request says, or of the first in its document. */
export function operationNameOf({ operationName, query }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof operationName === 'string' && operationName !== '') {
    return loggable.test(operationName) ? operationName : undefined;
  }
  return typeof query === 'string' ? firstName.exec(query)?.[1] : undefined;
}

/** The query string of an address, with its question mark. */
export function searchOf(address: string): string {
  const start = address.indexOf('?');
  return start === -1 ? '' : address.slice(start);
}

/** As `operationNameOf`, of a GET. */
export function operationNameIn(address: string): string | undefined {
  const { operationName, query } = Object.fromEntries(new URLSearchParams(searchOf(address)));
  return operationNameOf({ operationName, query });
}
