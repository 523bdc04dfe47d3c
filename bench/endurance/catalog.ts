import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { adminKey } from '../processes.ts';

const headers = { 'x-api-key': adminKey };
const answer = z.object({ data: z.record(z.string(), z.object({ id: z.optional(z.int()) })) });

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

/** Changes that go on in the background. */
export interface CatalogChanges {
  /** Resolves when the change in flight has ended. */
  pause(): Promise<void>;
  resume(): void;
  readonly count: () => number;
  readonly failed: () => number;
}

/** Creates, updates and deletes programs and branches, and writes notes and closes them, one every so many milliseconds. */
export function changeCatalog(url: string, everyMs: number): CatalogChanges {
  let count = 0;
  let failed = 0;
  let isPaused = false;
  let inFlight: Promise<unknown> = Promise.resolve();
  const created: number[] = [];
  const notes: number[] = [];
  const send = async (query: string): Promise<number> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return Object.values(answer.parse(await response.json()).data)[0]?.id ?? 0;
  };
  const change = async (number: number): Promise<void> => {
    const duration = `"${(number % 9) + 1} Years"`;
    if (number % 10 === 0) {
      created.push(
        await send(`mutation { createProgram(input: { name: "A ${number}", duration: ${duration} }) { id } }`),
      );
    } else if (number % 10 === 5 && created.length > 3) {
      const id = created.shift() ?? 0;
      await send(`mutation { deleteProgram(id: ${id}) { id } }`).catch((error: unknown) => {
        created.unshift(id);
        throw error;
      });
    } else if (number % 10 === 7) {
      const id = await send(`mutation { createBranch(input: { programId: 1, name: "A ${number}", years: 3 }) { id } }`);
      await send(`mutation { deleteBranch(id: ${id}) { id } }`);
    } else if (number % 50 === 3) {
      const id = await send(`mutation { addNote(input: { programId: 3, text: "Please check ${number}" }) { id } }`);
      notes.push(id);
      const done = notes.length > 5 ? notes.shift() : undefined;
      if (done !== undefined) await send(`mutation { markNote(id: ${done}) { id } }`);
    } else {
      const level = `[{ key: "level", value: "${number % 7}" }]`;
      const input = `{ duration: ${duration}, attributes: ${level} }`;
      await send(`mutation { updateProgram(id: ${(number % 100) + 1}, input: ${input}) { id } }`);
    }
  };
  const run = async (): Promise<void> => {
    for (;;) {
      await delay(everyMs, undefined, { ref: false });
      if (isPaused) continue;
      count += 1;
      inFlight = change(count).catch(() => {
        failed += 1;
      });
    }
  };
  void run();
  return {
    pause: async () => {
      isPaused = true;
      await inFlight;
    },
    resume: () => {
      isPaused = false;
    },
    count: () => count,
    failed: () => failed,
  };
}
