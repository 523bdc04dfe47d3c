const isWarning = /^\{"level":[456]0,/;
/** A line that says of the tests' own PostgreSQL, which is the embedded one, that it lags behind. */
const outdatedServer = /^.*"PostgreSQL [^"]* lacks the security fixes of .*\n/gm;
const shownMax = 5;
/** Up to the first lines of the stack. */
const lengthMax = 700;

let warnings: string[] = [];

/** Returns log lines without the warning of the tests' own PostgreSQL. */
export function withoutOutdatedServer(lines: string): string {
  return lines.replaceAll(outdatedServer, '');
}

/** Keeps a line of a service's log, if it is a warning or an error, for the report of a test that fails. */
export function keepWarning(line: string): void {
  if (isWarning.test(line) && warnings.length < shownMax) warnings.push(line.slice(0, lengthMax).trimEnd());
}

/** Returns the lines kept since the last call. */
export function takeWarnings(): readonly string[] {
  const taken = warnings;
  warnings = [];
  return taken;
}
