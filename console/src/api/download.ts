import { t } from '../language/language.ts';
import { toast, toastFailure } from '../overlays/toast-queue.ts';
import { fetchInSession } from '../session/session.ts';
import { describeRejection, rejectionIn } from './problems.ts';

/** A spreadsheet takes a text that begins so for a formula. */
const formula = /^[=+\-@\t]/;

export const csvCell = (text: string): string => `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** Excel reads UTF-8 only with a mark. */
export const csvFile = (text: string): Blob => new Blob(['\u{FEFF}', text], { type: 'text/csv' });

export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Downloads, and says that it did or what has failed. */
export async function downloadAndReport(address: string, name: string): Promise<void> {
  const problem = await download(address, name);
  if (problem === null) toast(t('transfer.downloaded', { name }));
  else toastFailure(problem);
}

/** Downloads, and names what fails, which a link would not. Returns the problem, or `null`. */
export async function download(address: string, name: string): Promise<string | null> {
  try {
    const response = await fetchInSession(address);
    if (!response.ok) {
      const rejection = rejectionIn(response, await response.json().catch(() => undefined));
      return rejection === undefined
        ? t('transfer.exportFailed', { status: String(response.status) })
        : describeRejection(rejection);
    }
    save(await response.blob(), name);
    return null;
  } catch {
    return t('common.exportBrokeOff');
  }
}
