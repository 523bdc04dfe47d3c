import { z } from 'zod';
import { adminKey } from '../processes.ts';

/** The service as the bench asks it, by a key. */
export interface Api {
  readonly query: <Data>(shape: z.ZodType<Data>, query: string, variables?: object) => Promise<Data>;
  readonly importCsv: (text: string, fileName: string) => Promise<void>;
}

export function apiOf(url: string, key: string = adminKey): Api {
  const send = async (path: string, type: string, body: string): Promise<string> => {
    const headers = { 'x-api-key': key, 'content-type': type };
    const response = await fetch(url + path, { method: 'POST', headers, body });
    return response.text();
  };
  return {
    query: async (shape, query, variables = {}) => {
      const text = await send('/graphql', 'application/json', JSON.stringify({ query, variables }));
      const read = z.object({ data: shape }).safeParse(JSON.parse(text));
      if (!read.success) throw new Error(text);
      return read.data.data;
    },
    importCsv: async (text, fileName) => {
      const said = await send(
        `/import/catalog?${new URLSearchParams({ skipInvalid: 'true', fileName })}`,
        'text/csv',
        text,
      );
      if (!said.includes('"imported"')) throw new Error(said.slice(0, 500));
    },
  };
}
