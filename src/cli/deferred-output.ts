import type { Postgres } from '../database/open-postgres.ts';

type Tell = (sentence: string) => void;

/** How long people wait before they want to know what for. */
const quietMs = 2_000;

/**
 * Opens a store that tells what it does, and passes on only what matters: everything when opening takes long or fails,
 * what happens while the store is in use, and nothing of an orderly end.
 */
export async function deferOutput<Opened extends Pick<Postgres, 'close'>>(
  open: (tell: Tell) => Promise<Opened>,
  say: Tell,
  { patience = quietMs }: { readonly patience?: number } = {},
): Promise<Opened> {
  const held: string[] = [];
  let pass: Tell = (sentence) => held.push(sentence);
  const speak = (): void => {
    pass = say;
    for (const sentence of held.splice(0)) say(sentence);
  };
  const timer = setTimeout(speak, patience);
  try {
    const store = await open((sentence) => pass(sentence));
    pass = say;
    return {
      ...store,
      close: () => {
        pass = () => undefined;
        return store.close();
      },
    };
  } catch (problem) {
    speak();
    throw problem;
  } finally {
    clearTimeout(timer);
  }
}
