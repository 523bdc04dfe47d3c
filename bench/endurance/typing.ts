import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** Letters that are shortcuts outside of fields. */
const letters = 'gnjxkp?/';
/** As long as a code may be, and a bit less. */
const typedMax = 45;
const everyMs = 1_000;
const shownWithinMs = 10_000;
const savedWithinMs = 30_000;

/** A person who types into a field all the while, whatever happens to the service and the network. */
export interface Typist {
  /** Compares the field with what was typed, saves it while others change the record, and types another. */
  save(when: string): Promise<string[]>;
  /** How many letters were typed, and found in the database. */
  readonly found: () => number;
}

interface Typing {
  readonly page: Page;
  readonly field: Locator;
  /** Opens the field, empty or with its text selected. */
  readonly open: () => Promise<void>;
  readonly submit?: () => Promise<void>;
  /** What the database has. */
  readonly stored: () => Promise<string | null | undefined>;
}

export async function startTyping(typing: Typing): Promise<Typist> {
  const { page, field, open, submit = () => page.keyboard.press('Enter'), stored } = typing;
  let typed = '';
  let found = 0;
  let round = 0;
  let isPaused = false;
  let inFlight: Promise<void> = Promise.resolve();
  const begin = async (): Promise<void> => {
    await open();
    await field.waitFor();
  };
  await begin();
  const run = async (): Promise<void> => {
    for (;;) {
      await delay(everyMs, undefined, { ref: false });
      if (isPaused || typed.length >= typedMax) continue;
      // Each time another text: one that is stored already would prove nothing.
      const letter = letters[(round + typed.length) % letters.length] ?? '';
      typed += letter;
      inFlight = page.keyboard.press(letter);
      await inFlight;
    }
  };
  void run().catch(() => undefined);
  return {
    save: async (when) => {
      isPaused = true;
      await inFlight;
      const faults: string[] = [];
      const shown = await field.inputValue({ timeout: shownWithinMs }).catch(() => 'nothing, it is closed');
      if (shown !== typed) faults.push(`${when}: the field has ${shown} instead of ${typed}`);
      await submit();
      const until = performance.now() + savedWithinMs;
      while ((await stored()) !== typed && performance.now() < until) await delay(200);
      const saved = await stored();
      if (saved !== typed) faults.push(`${when}: ${typed} is not saved, but ${saved}`);
      else found += typed.length;
      // What a page has lost, it need not lose for good.
      if (faults.length > 0) await page.reload();
      typed = '';
      round += 1;
      isPaused = await begin().then(
        () => false,
        (error: unknown) => faults.push(`${when}: ${error}`) > 0,
      );
      return faults;
    },
    found: () => found,
  };
}
