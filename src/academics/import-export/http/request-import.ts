import { ServiceError } from '@service/errors';
import type { Actor } from '../../../accounts/audit/audit.ts';
import type { CallerMonitor } from '../../../accounts/authentication/caller-monitor.ts';
import { accessChanged, watchPermission } from '../../../accounts/authentication/watch-permission.ts';
import type { Caller } from '../../../accounts/caller.ts';
import type { Reauthentication, RequestContext } from '../../../context.ts';
import type { ChangeMonitor } from '../../../database/types.ts';
import type { FileImportResult, ImportFile } from '../import/importer.ts';

interface ImportOptions {
  readonly importFile: ImportFile;
  readonly caller: Caller;
  readonly callers: Pick<CallerMonitor, 'watch'>;
  readonly actor: Actor;
  readonly changes: Pick<ChangeMonitor, 'bump'>;
  readonly reauthentication: Pick<Reauthentication, 'requireCurrent'>;
  readonly onClosed: RequestContext['onClosed'];
  readonly onCommit: () => void;
}

/** In the caller's name, as long as the client waits and the caller may import. */
export async function importForRequest(
  file: Parameters<RequestContext['importFile']>[0],
  { importFile, caller, callers, actor, changes, reauthentication, onClosed, onCommit }: ImportOptions,
): Promise<FileImportResult> {
  const ended = new AbortController();
  onClosed(() => ended.abort(new ServiceError('UNAVAILABLE', 'The client disconnected.')));
  const unwatch = watchPermission(callers, caller, 'programs:write', () => ended.abort(accessChanged()));
  const { signal } = ended;
  try {
    const result = await importFile({ ...file, actor, signal, beforeCommit: reauthentication.requireCurrent });
    if (result.outcome === 'imported') {
      changes.bump('catalog');
      onCommit();
    }
    return result;
  } catch (problem) {
    // The cancelled statement fails for its own reason, which would be logged.
    throw signal.aborted ? signal.reason : problem;
  } finally {
    unwatch();
  }
}
