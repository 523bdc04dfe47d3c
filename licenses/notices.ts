import type { Part } from './parts.ts';

const rule = '-'.repeat(80);

/** What the licences ask for: the name of every part, and the text of its licence, equal texts once. */
export function notices(title: string, parts: readonly Part[]): string {
  const byText = new Map<string, Part[]>();
  for (const part of parts) byText.set(part.text, [...(byText.get(part.text) ?? []), part]);
  return [
    `${title} contains software of others. Their names come first, then the texts of their licences.`,
    'The same list for programs, in the format CycloneDX, is sbom.cdx.json beside this file.',
    '',
    ...parts.map((part) => `${titleOf(part)} (${part.licence}): ${part.places.join(', ')}`),
    ...Array.from(byText, ([text, those]) => `\n${rule}\n${those.map(titleOf).join('\n')}\n${rule}\n\n${text}`),
    '',
  ].join('\n');
}

const titleOf = ({ name, version }: Part): string => (version === undefined ? name : `${name} ${version}`);
