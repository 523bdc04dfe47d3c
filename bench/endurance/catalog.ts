import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { adminKey } from '../processes.ts';

const headers = { 'x-api-key': adminKey };
const answer = z.object({
  data: z.nullish(z.record(z.string(), z.nullable(z.object({ id: z.optional(z.int()) })))),
  errors: z.optional(z.array(z.object({ message: z.string(), extensions: z.object({ code: z.string() }) }))),
});
const retryMs = 500;
/** The most changes at once: the next wait while the service is away or busy. */
const atOnceMax = 10;

/** Imports programs, each with a branch. */
export async function fillCatalog(url: string, programs: number): Promise<void> {
  const rows = Array.from({ length: programs }, (_none, index) => `Program ${index},4 Years,Branch ${index},4`);
  const text = ['program_name,program_duration,branch_name,branch_years', ...rows].join('\n');
  const response = await fetch(`${url}/import/catalog`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: text,
  });
  const said = await response.text();
  if (!said.includes('"imported"')) throw new Error(`The import failed: ${said}`);
}

/** Takes out all but the last so many. */
const oldest = (ids: number[], kept: number): number[] => ids.splice(0, Math.max(0, ids.length - kept));

/** Changes that go on in the background. */
export interface CatalogChanges {
  /** Resolves when the changes in flight have ended: then the catalog has as many records as ever. */
  pause(): Promise<void>;
  resume(): void;
  readonly count: () => number;
  /** Requests that were sent again, since the service was away or busy. */
  readonly repeated: () => number;
  /** What the service answered to changes that it should have made. */
  readonly rejections: readonly string[];
}

/**
 * Creates, updates and deletes programs and branches, writes notes and closes them, and saves a view, one every so many milliseconds.
 * Each change happens once, also when its response is lost: else what remains undeleted would make the pages grow.
 */
export function changeCatalog(url: string, everyMs: number): CatalogChanges {
  let count = 0;
  let repeated = 0;
  let isPaused = false;
  const rejections: string[] = [];
  const inFlight = new Set<Promise<void>>();
  const created: number[] = [];
  const notes: number[] = [];
  const send = async (query: string): Promise<number> => {
    const request = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ query }),
    };
    for (;;) {
      const response = await fetch(`${url}/graphql`, request).catch(() => undefined);
      if (response?.ok) {
        const { data, errors: [error] = [] } = answer.parse(await response.json());
        if (error === undefined) return Object.values(data ?? {})[0]?.id ?? 0;
        if (error.extensions.code !== 'UNAVAILABLE') throw new Error(`${query}: ${error.message}`);
      }
      repeated += 1;
      await delay(retryMs);
    }
  };
  const change = async (number: number): Promise<void> => {
    const duration = `"${(number % 9) + 1} Years"`;
    if (number % 10 === 0) {
      created.push(
        await send(`mutation { createProgram(input: { name: "A ${number}", duration: ${duration} }) { id } }`),
      );
    } else if (number % 10 === 5) {
      for (const id of oldest(created, 3)) await send(`mutation { deleteProgram(id: ${id}) { id } }`);
    } else if (number % 10 === 7) {
      const id = await send(`mutation { createBranch(input: { programId: 1, name: "A ${number}", years: 3 }) { id } }`);
      await send(`mutation { deleteBranch(id: ${id}) { id } }`);
    } else if (number % 50 === 13) {
      // In place of the one with its name.
      await send(`mutation { saveView(input: { list: PROGRAMS, name: "Mine", search: "q=${number}" }) { id } }`);
    } else if (number % 50 === 3) {
      notes.push(await send(`mutation { addNote(input: { programId: 3, text: "Please check ${number}" }) { id } }`));
      for (const id of oldest(notes, 5)) await send(`mutation { markNote(id: ${id}) { id } }`);
    } else {
      const level = `[{ key: "level", value: "${number % 7}" }]`;
      const input = `{ duration: ${duration}, attributes: ${level} }`;
      await send(`mutation { updateProgram(id: ${(number % 100) + 1}, input: ${input}) { id } }`);
    }
  };
  const run = async (): Promise<void> => {
    for (;;) {
      await delay(everyMs, undefined, { ref: false });
      if (isPaused || inFlight.size >= atOnceMax) continue;
      count += 1;
      const changed = change(count)
        .catch((error: unknown) => void rejections.push(String(error)))
        .finally(() => inFlight.delete(changed));
      inFlight.add(changed);
    }
  };
  void run();
  return {
    pause: async () => {
      isPaused = true;
      await Promise.all(inFlight);
    },
    resume: () => {
      isPaused = false;
    },
    count: () => count,
    repeated: () => repeated,
    rejections,
  };
}
