import type { ChangeMonitor as Monitor } from '@service/change-log/change-monitor';

/** `access`: users and API keys; `catalog`: programs, branches and their years. */
export type ChangeKind = 'access' | 'catalog';

export type ChangeMonitor = Monitor<ChangeKind>;
