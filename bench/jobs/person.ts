import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** What a key takes, and every choice of what to press next or reading of an answer. */
const keyMs = 70;
const decisionMs = 700;

/** A person at a page, as fast as people are. */
export interface Person {
  readonly page: Page;
  /** Presses keys; one with Ctrl or Shift is one. */
  press(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Decides, and clicks. */
  click(what: Locator): Promise<void>;
  /** Decides, and presses keys. */
  choose(...keys: readonly string[]): Promise<void>;
  /** Waits for an answer, and reads it. */
  read(what: Locator): Promise<void>;
  /** Does what is no work at the console. */
  away<Result>(work: () => Promise<Result>): Promise<Result>;
  readonly awayMs: () => number;
  /** What the hands and the eyes took, without waiting. */
  readonly spent: () => { readonly keys: number; readonly decisions: number; readonly ms: number };
}

export function personAt(page: Page): Person {
  let keys = 0;
  let decisions = 0;
  let awayMs = 0;
  const decide = async (): Promise<void> => {
    decisions += 1;
    await delay(decisionMs);
  };
  const press = async (...pressed: readonly string[]): Promise<void> => {
    for (const key of pressed) {
      keys += 1;
      await page.keyboard.press(key);
      await delay(keyMs);
    }
  };
  return {
    page,
    press,
    type: async (text) => {
      keys += text.length;
      await page.keyboard.type(text, { delay: keyMs });
    },
    click: async (what) => {
      await what.waitFor();
      await decide();
      await what.click();
    },
    choose: async (...pressed) => {
      await decide();
      await press(...pressed);
    },
    read: async (what) => {
      await what.waitFor();
      await decide();
    },
    away: async (work) => {
      const began = performance.now();
      const result = await work();
      awayMs += performance.now() - began;
      return result;
    },
    awayMs: () => awayMs,
    spent: () => ({ keys, decisions, ms: keys * keyMs + decisions * decisionMs }),
  };
}
