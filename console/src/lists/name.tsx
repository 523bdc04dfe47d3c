import { Marked } from './matches.tsx';

/** The fewest and the most letters after the cut. */
const [tailMin, tailMax] = [6, 26];
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFEFC]/;

/** Returns where to cut a long name: at a space near its end. */
export function cutOf(name: string): number | undefined {
  if (name.length < tailMax || rightToLeft.test(name)) return undefined;
  const at = name.indexOf(' ', Math.max(name.length - tailMax, name.length / 2));
  return at > 0 && at <= name.length - tailMin ? at : undefined;
}

/** A name in a list. Without room its middle is left out, as names that begin alike differ at their ends. */
export function Name({ text, search }: { readonly text: string; readonly search: string | undefined }) {
  const at = cutOf(text);
  if (at === undefined) return <Marked text={text} search={search} />;
  return (
    <span className="name">
      <span className="head-of-name">
        <Marked text={text.slice(0, at + 1)} search={search} />
      </span>
      <span className="tail-of-name">
        <Marked text={text.slice(at + 1)} search={search} />
      </span>
    </span>
  );
}
