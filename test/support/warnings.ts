const isWarning = /^\{"level":[456]0,/;
const shownMax = 5;
/** Up to the first lines of the stack. */
const lengthMax = 700;

let warnings: string[] = [];

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
