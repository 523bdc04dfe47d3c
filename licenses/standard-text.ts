import licences from 'spdx-license-list/full.js';

/**
 * The text of a licence, for software that comes without: the standard one with the notice of the copyright; of several
 * licences to choose from, the first. Only the notice, if there is no such licence.
 */
export function standardText(expression: string, copyright: string): string {
  const [first = ''] = expression.split(' OR ');
  const { licenseText = '' } = licences[first] ?? {};
  // The standard text has the notices of its first publisher, or gaps in their place.
  return `${copyright}\n\n${licenseText.replace(/^(Portions )?Copyright \(?c\)? .*\n+/gim, '')}`.trim();
}
