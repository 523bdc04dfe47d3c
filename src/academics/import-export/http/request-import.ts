import { ServiceError } from '@service/errors';
import type { Actor } from '../../../accounts/audit/audit.ts';
import type { Reauthentication } from '../../../accounts/authentication/reauthentication.ts';
import type { RequestContext } from '../../../context.ts';
import type { ChangeMonitor } from '../../../database/changes.ts';
import type { FileImportResult, ImportFile } from '../import/importer.ts';

interface ImportOptions {
  readonly importFile: ImportFile;
  readonly actor: Actor;
  readonly changes: Pick<ChangeMonitor, 'bump'>;
  readonly reauthentication: Pick<Reauthentication, 'requireCurrent'>;
  readonly onClosed: RequestContext['onClosed'];
  readonly onCommit: () => void;
}

/** In the caller's name, as long as the client waits and the caller may import. */
export async function importForRequest(
  file: Parameters<RequestContext['importFile']>[0],
  { importFile, actor, changes, reauthentication, onClosed, onCommit }: ImportOptions,
): Promise<FileImportResult> {
  const left = new AbortController();
  const disconnected = new ServiceError('UNAVAILABLE', 'The client disconnected.');
  onClosed(() => left.abort(disconnected));
  const { signal } = left;
  try {
    const result = await importFile({ ...file, actor, signal, beforeCommit: reauthentication.requireCurrent });
    if (result.outcome === 'imported') {
      changes.bump('catalog');
      onCommit();
    }
    return result;
  } catch (problem) {
    // The cancelled statement fails for its own reason, which would be logged.
    throw signal.aborted ? disconnected : problem;
  }
}
