import { createProblems, type Details, type Problem, withDetails } from '@service/errors/problems';
import { z } from 'zod';

/**
 * The messages that people meet, by rule: clients say them in other languages by the rule and its details
 * (`docs/contract.md` 7). A rule never changes its meaning.
 */
export const problemTexts = {
  // Fields.
  INVALID: '{text}',
  REQUIRED: '{field} is required.',
  NOT_TEXT: '{field} must be a string.',
  NOT_INTEGER: '{field} must be an integer.',
  NOT_BOOLEAN: '{field} must be true or false.',
  NOT_UNICODE: '{field} must be well-formed Unicode: it has half of a surrogate pair.',
  HAS_NUL: '{field} must not contain the NUL character.',
  BLANK: '{field} must not be blank.',
  TOO_LONG: '{field} must be at most {max} characters long.',
  NOT_ONE_LINE: '{field} must be on one line, without control characters.',
  NEGATIVE: '{field} must not be negative.',
  TOO_SMALL: '{field} must be at least {min}.',
  TOO_LARGE: '{field} must be at most {max}.',
  OUT_OF_RANGE: '{field} must be from {min} to {max}.',
  NOT_AN_ID: '{field} must be 1 or more.',
  NOT_POSITIVE: '{field} must be a whole number, 1 or more.',
  NONE_GIVEN: '{field} must not be empty.',
  TOO_MANY: '{field} must be at most {max}.',
  INVALID_KEY: '{field} must be 1 to 40 letters (A-Z, a-z), digits, or one of _ . -.',
  REPEATED_KEY: '{field} must name each key once.',
  TOO_MANY_CONDITIONS:
    'The filter must have at most {max} conditions within and, or and not; one on branches or years counts as {dear}.',
  NESTED_TOO_DEEP: 'Conditions must not be nested more than {max} levels deep.',
  NOT_ONE_OF: '{field} must be one of {values}.',
  NOT_A_DURATION: '{field} must be {form}.',
  PAST: '{field} must be in the future.',
  FUTURE: '{field} must not be in the future.',
  ONLY_OF_THE_PRESENT: '{field} works with the present catalog alone.',
  BEFORE_THE_LOG: '{field} must not be before {day}, when the audit log begins.',
  TOO_FAR_AWAY: '{field} must be within {days} days.',
  NOT_UNDOABLE: '{field} names a change of users or keys, which cannot be undone.',
  FILE_TOO_LARGE: '{field} must be at most {max} bytes long.',
  // Records.
  MISSING: '{kind} {id} does not exist.',
  CHANGED: '{kind} {id} has been changed: its version is {version}, not {expected}.',
  CHANGED_SINCE: '{kind} {id} has been changed since by {actor}.',
  FIELDS_CHANGED_SINCE: '{kind} {id} has been changed since by {actor}: {fields}.',
  TOO_MANY_ATTRIBUTES: '{kind} {id} would have more than {max} attributes.',
  PROGRAM_FULL:
    'Program {id} has no room for this: with it, its branches would have more than {max} bytes of names, descriptions, attributes and years.',
  PARENT_DELETED: 'Program {id} is deleted: restore it first.',
  HAS_OTHER_BRANCHES: 'Program {id} has other branches, which would be deleted with it.',
  CHANGE_MISSING: 'Change {id} does not exist, or is no longer in the audit log.',
  TOO_MANY_NOTES: '{kind} {id} has {max} open notes, which is the limit. Close some first.',
  TOO_MANY_VIEWS: 'You have {max} saved views, which is the limit. Delete some first.',
  EDITION_NAME_TAKEN: 'Edition {name} exists already.',
  TOO_MANY_EDITIONS: 'There are {max} editions, which is the limit. The command line can delete one.',
  TOO_MANY_EDITIONS_OF_DAY:
    'You have made {max} editions within 24 hours, which is the limit. Please wait, or ask an administrator to make it.',
  // Attributes that are defined.
  NOT_A_CHOICE: '{field} must be one of its choices ({choices}), and {value} is none.',
  RETIRED_CHOICE: '{field} must not be set to {value}, which is retired.',
  NOT_A_WHOLE_NUMBER: '{field} must be a whole number, such as 7.',
  NOT_A_DECIMAL: '{field} must be a number, such as 7.5.',
  NOT_A_DATE: '{field} must be a date, such as 2026-12-31.',
  NOT_YES_OR_NO: '{field} must be true or false.',
  NOT_AN_ADDRESS: '{field} must be an address that begins with https:// or http://.',
  REQUIRED_ATTRIBUTE: '{field} is required.',
  RESERVED_KEY: '{field} begins with name. or description., which are reserved.',
  // Definitions of attributes.
  OF_NOTHING: 'The attribute must be one of programs, of branches, or of both.',
  REPEATED_CHOICE: '{field} must have each value and each label once, and {value} is there twice.',
  LABEL_IS_VALUE: '{field}: {label} is the label of {value} and the value of another choice.',
  UNKNOWN_SUCCESSOR: '{field}: {value} is replaced by {replacedBy}, which is no other choice.',
  RING_OF_SUCCESSORS: '{field}: {value} is replaced, in the end, by itself.',
  CHOICE_IN_USE: 'The choice {value} is in use (records: {count}): it can be retired, but not removed.',
  TOO_MANY_DEFINITIONS: 'There are {max} definitions of attributes, which is the limit.',
  DEFINITIONS_TOO_LARGE:
    'The definitions of attributes would have more than {max} bytes together, which is the limit. Remove choices, or shorten their labels.',
  // Rights, users and keys.
  READ_ONLY: 'This API key is read-only.',
  NOT_PERMITTED: 'You need the permission {permission}.',
  NOT_THE_AUTHOR: 'Only its author and administrators may delete a note.',
  NO_USER_FOR_VIEWS: 'Sign in: views belong to a user of the service.',
  ENDS_TOO_LATE: 'The key must end by {end}, when your own key or token ends.',
  NAME_RESERVED: 'The name {name} is reserved: the audit log uses it for the service itself.',
  NAME_TAKEN: 'User {name} exists already.',
  USER_HAS_KEYS: 'User {name} has active keys, which must be revoked first: {keys}.',
  LAST_ADMINISTRATOR: 'User {name} is the last active administrator: give another one the role first.',
  TOO_MANY_KEYS: 'User {name} has {count} active keys, which is the limit: revoke one first.',
  KEY_NOT_ACTIVE: 'Key {id} is {state}: only an active key can {what}.',
  KEY_IS_SESSION: 'Key {id} is a session: it ends some hours after its last use, and cannot be changed.',
  KEY_REPLACED: 'Key {id} was replaced by key {other}: rotate that one.',
  // Imports and exports.
  IMPORT_RUNNING: 'Another import is running. Please try again when it has finished.',
  TOO_MANY_FILES: 'Too many files are being sent. Please try again.',
  DEFINITION_JUST_CHANGED:
    'The definition of an attribute has just been changed. Nothing was imported: please try again.',
  RECORD_JUST_CHANGED: 'A record of the file has just been changed. Nothing was imported: please try again.',
  PROGRAM_JUST_DELETED: 'A program of the file has just been deleted. Nothing was imported: please try again.',
  SHORTENED_NUMBER:
    '{field} is a number that a spreadsheet has shortened, so that its digits are lost: give the column the format Text, and enter the codes again.',
  NOT_A_CODE:
    '{field} is {value}, a word for no value: leave the cell empty if there is no code, since records with one code are one record.',
  NO_BRANCH: '{field} has a value but branch_name is empty: a program without branches has no use for it.',
  SHARED_CODE: '{field} {code} is the code of {count} {records}: {ids}{more}. Rows match them in this order.',
  NEARLY_EQUAL: '{field} {value} is nearly {other} of record {id}: if it is meant, write it as it is there.',
  NEARLY_EQUAL_IN_FILE: '{field} {value} is nearly {other} of line {line}: if it is the same, write it the same way.',
  NAMED_TWICE: '{field} {value} is that of line {line} too, which has another name: one of the two would be lost.',
  NEW_CODE_ELSEWHERE:
    '{field} {value} is a code of line {line} too, and new to one of the two: when the file is imported again, each would be the record of the other. Give both rows their ids, as an export has them.',
  NO_OCCURRENCE_BEFORE:
    '{field} is {value}, but neither the file nor the catalog has the one before it: number equal records 1, 2, and so on.',
  NUMBERS_CHANGE:
    '{field} {value} changes which of several equal records has which number: when the file is imported again, the numbers would be those of others. Give these rows their ids, as an export has them, and leave out the columns of occurrences.',
  OF_NO_RECORD:
    '{kind}_id {id} is of no {kind}, and may become that of another new one. Leave the cell empty for a new {kind}.',
  OF_OTHER_PROGRAM:
    'branch_id {id} is of the program {program} ({name}), not of this one. Leave the cell empty for a new branch; leave out the columns program_id and branch_id for a file of another catalog.',
  OF_OTHER_RECORD:
    '{kind}_id {id} is {name} in the catalog, and the row has nothing of that {kind}. Leave the cell empty for a new {kind}; leave out the columns program_id and branch_id for a file of another catalog; for one of this catalog, say that its ids are right (ownIds).',
  OF_DELETED:
    '{kind}_id {id} is {name}, which is deleted: the row is a new {kind}. Restore the deleted one instead, to have it as it was.',
  HAS_OTHER_ID:
    '{kind}_id {id} is {name} in the catalog, but the row has the code or name of the {kind} {other}. Leave out the columns program_id and branch_id for a file of another catalog; for one of this catalog, say that its ids are right (ownIds).',
  TOO_MANY_TOGETHER: 'The {kind} {id} would have more than {max} attributes together with those that it has.',
  TOO_MANY_OF_ROW: 'A {kind} has at most {max} attributes.',
  INVALID_KEY_IN_OBJECT: '{field} has the key {key}, which is not 1 to 40 of A-Z a-z 0-9 _ . -.',
  NOT_AN_OBJECT: '{field} must be an object of texts, such as {example}.',
} as const;

export const problem = createProblems(problemTexts);

type Rule = keyof typeof problemTexts;

/** A problem as the message of a zod schema, which can only be a text. */
export const issue = <Of extends Rule>(...given: Parameters<typeof problem<Of>>): string =>
  JSON.stringify(problem<Of>(...given));

const written = z.object({
  rule: z.custom<Rule>((rule) => typeof rule === 'string' && Object.hasOwn(problemTexts, rule)),
  details: z.record(z.string(), z.union([z.string(), z.number()])),
});

const made = (rule: Rule, details: Details): Problem => ({
  rule,
  details,
  message: withDetails(problemTexts[rule], details),
});

/** The problem of a rule that is known by its name alone. @throws ZodError when no rule has it, or for other details. */
export function problemNamed(name: string, given: unknown): Problem {
  const { rule, details } = written.parse({ rule: name, details: given });
  return made(rule, details);
}

/**
 * The problem in the message of a zod schema.
 * @param named the field, where it has another name than in the schema.
 */
export function problemIn(message: string, named?: string): Problem {
  if (!message.startsWith('{')) return problem('INVALID', { text: message });
  const { rule, details } = written.parse(JSON.parse(message));
  return made(rule, named === undefined ? details : { ...details, field: named });
}
