import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { timeForm } from '../academics/editions/exported-state.ts';
import { type CatalogPoint, editionName, parsePoint, parseTime, pointForm } from '../academics/editions/points.ts';
import { exportedList } from '../academics/rules/lists.ts';
import { changeId } from '../accounts/audit/audit.ts';
import { entriesMax } from '../accounts/audit/audit-list.ts';
import { keyKinds, keyStates } from '../accounts/keys/api-key.ts';
import { durationForm, lifetimeForm, parseDuration, parseLifetime } from '../accounts/keys/duration.ts';
import { keyName, userName } from '../accounts/schemas.ts';
import { parseInstant } from '../validation/instant.ts';
import { roles } from '../validation/permissions.ts';
import { problemIn } from '../validation/problems.ts';
import { identifierMax } from '../validation/validate.ts';

/** Whether output is machine-readable: `--json` or `--no-json`, global options; `undefined` if not chosen. */
export interface OutputOptions {
  readonly json?: boolean | undefined;
}

/** Options of a command whose records people open in a spreadsheet. */
export interface ListOptions extends OutputOptions {
  readonly csv?: boolean;
}

/** For commands whose records people open in a spreadsheet. */
export const csvOption = (): Option =>
  new Option('--csv', 'CSV for spreadsheets: cells that look like formulas get an apostrophe');

/** The options of a command that has `--csv`. */
export function listOptionsOf<Options extends ListOptions>(command: Command): Options {
  const options = command.optsWithGlobals<Options>();
  if (options.csv === true && options.json === true) command.error('error: --json and --csv contradict each other');
  return options;
}

/** An argument parser that reports a schema's errors as wrong usage. */
const parserOf =
  <Value>(schema: z.ZodType<Value>) =>
  (text: string): Value => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(parsed.error.issues.map(({ message }) => problemIn(message).message).join(' '));
  };

export const parseUserName = parserOf(userName('The name'));

export const parseKeyName = parserOf(keyName('The name'));

export const parseEditionName = parserOf(editionName);

/** Parses a day, as its end in UTC, or a time. */
export function parseAsOf(text: string): Date {
  const at = parseTime(text);
  if (at === undefined) throw new InvalidArgumentError(`It must be ${timeForm}.`);
  return at;
}

/** Parses a state of the catalog. */
export function parseCatalogPoint(text: string): CatalogPoint {
  const point = parsePoint(text);
  if (point === undefined) throw new InvalidArgumentError(`A state of the catalog must be ${pointForm}.`);
  return point;
}

export const parseChangeId = parserOf(changeId);

const counted = `The number of entries must be a whole number from 1 to ${entriesMax}.`;
export const parseEntryCount = parserOf(
  z.string().transform(Number).pipe(z.int(counted).min(1, counted).max(entriesMax, counted)),
);

const line = 'A line must be a whole number, 1 or more.';
/** Parses the number of a line of a file. */
export const parseLine = parserOf(z.string().transform(Number).pipe(z.int(line).min(1, line)));

/** Parses the programs of an export, as JSON. */
export const parseExportedList = parserOf(
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch (error) {
        context.addIssue(`A filter must be JSON: ${String(error)}`);
        return z.NEVER;
      }
    })
    .pipe(exportedList),
);

const day = z.iso.date();

/** Parses a past or current day as its start in UTC. */
export function parsePastDay(text: string): Date {
  const began = new Date(text);
  if (day.safeParse(text).success && began.getTime() <= Date.now()) return began;
  throw new InvalidArgumentError('A day must be as in 2016-01-31, and not in the future.');
}

/** Parses a day, as its start in UTC, or a time. */
export function parseMoment(text: string): Date {
  const moment = day.safeParse(text).success ? new Date(text) : parseInstant(text);
  if (moment !== undefined) return moment;
  throw new InvalidArgumentError(
    'A time must be a day or a time with its zone, as in 2016-01-31 or 2016-01-31T08:00Z.',
  );
}

/** Parses an identifier. @throws InvalidArgumentError */
export function parseId(text: string): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (id <= identifierMax) return id;
  throw new InvalidArgumentError('An id must be a whole number, as lists show it.');
}

/** An argument parser of a duration, in milliseconds. */
const durationParserOf =
  (what: string, form: string, parse: (text: string) => number | undefined) =>
  (text: string): number => {
    const ms = parse(text);
    if (ms !== undefined) return ms;
    throw new InvalidArgumentError(`${what} must be ${form}.`);
  };

export const parseDurationArgument = durationParserOf('A duration', durationForm, parseDuration);

/** Parses the lifetime of a key, not zero; `Infinity` for `never`. */
export const parseLifetimeArgument = durationParserOf('The lifetime of a key', lifetimeForm, parseLifetime);

export const roleArgument = (): Argument => new Argument('<role>', 'role of the user').choices(roles);

export const roleOption = (description: string): Option => new Option('--role <role>', description).choices(roles);

export const stateOption = (description: string): Option =>
  new Option('--state <state>', description).choices(keyStates);

export const kindOption = (description: string): Option => new Option('--kind <kind>', description).choices(keyKinds);
