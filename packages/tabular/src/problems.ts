import { createProblems } from '@service/errors/problems';

/** The messages about files that people meet, by rule. */
export const fileProblemTexts = {
  EMPTY_FILE: 'The file is empty.',
  EMPTY_TEXT: 'The file is empty: it has no header row.',
  EMPTY_SHEET: 'The sheet {sheet} is empty: it has no header row.',
  NO_TEXT: 'The file is no text. Save it as .xlsx or as CSV in UTF-8 and import that.',
  WORKBOOK_AS_TEXT:
    'The file is a workbook or an archive and not text. Save it as .xlsx or as CSV in UTF-8 and import that.',
  UTF_32: 'The file is text in UTF-32. Save it as UTF-8 and import that.',
  NOT_UTF_16: 'The file begins as UTF-16 and is not. Save it as UTF-8 and import that.',
  NOT_UTF_8: 'Line {line} is not UTF-8. Save the file as UTF-8 and import that.',
  NOT_IN_ENCODING:
    'Line {line} has bytes that are no characters of {encoding}. Choose another encoding, or save the file as UTF-8 and import that.',
  UNCLOSED_QUOTE: 'Line {line}: the quoted cell that begins here is not closed.',
  TEXT_AFTER_QUOTE: 'cannot be read{lines}: text after the closing quote of a cell',
  QUOTE_IN_CELL: 'cannot be read{lines}: quote inside an unquoted cell',
  TOO_MANY_CELLS: 'has {cells} cells where the header has {columns}',
  ROW_TOO_LONG: 'is longer than {max} characters{lines}',
  NO_HEADER: 'Line {line} must name the columns, but the file ends before it.',
  BROKEN_HEADER: 'Line {line} {fault}, and it has to name the columns.',
  TOO_MANY_COLUMNS: '{place} has more than {max} columns.',
  NO_SUCH_COLUMN: '{place} has no column {names}.',
  MISSING_COLUMNS: '{place} must name the columns{separated}; missing: {columns}.',
  COLUMN_TWICE: '{place} names the column {column} twice.',
  NO_JSON_ARRAY: 'Line {line}: the file must be a JSON array of objects, or have an object on each line.',
  JSON_IN_OBJECT:
    'Line {line}: the file is an object that has a list of objects in it. Save that list alone, as a JSON array, and import that.',
  NO_JSON: 'Line {line}: the element that begins here is not valid JSON.',
  CUT_JSON: 'Line {line}: the file ends before its JSON array does.',
  EMPTY_JSON: 'The file is empty: it must be a JSON array of objects.',
  DATA_AFTER_JSON: 'Line {line}: there is data after the end of the JSON array.',
  NO_JSON_ELEMENT: 'Line {line}: an element is missing.',
  JSON_TOO_LONG: 'Line {line}: the element that begins here is too long.',
  JSON_TOO_DEEP: 'Line {line}: the element that begins here is nested too deeply.',
  NO_JSON_OBJECT: 'is not an object',
  PROTECTED:
    'The workbook is protected by a password, or is an old .xls file. Save it as .xlsx without a password and import that.',
  ENCRYPTED: 'The workbook is protected by a password. Save it without one and import that.',
  NO_WORKBOOK: 'The file is no .xlsx workbook. Save it as .xlsx or as CSV in UTF-8 and import that.',
  DAMAGED:
    'The workbook cannot be read: it is damaged, or a part of it is missing. Open it, save it again as .xlsx and import that.',
  WORKBOOK_TOO_LARGE: '{what}. Save the sheet as CSV, and import that.',
  IMPOSSIBLE_SHEET: 'The sheet has {what}, which no sheet has.',
  NO_SHEET: 'The workbook has no visible sheet{named}.',
  CELL_ERROR: 'has the error {error} in cell {cell}',
  NO_VALUE:
    'has a formula without a value in cell {cell} (Excel calculates it when the file is opened and saved there)',
  NOT_AS_SHOWN: '{doubt} in cell {cell}, where a text belongs',
  FILLED_TOO_OFTEN: 'The empty cells of the file stand for long texts too often: import it in parts.',
  TOO_MANY_ROWS: 'An Excel sheet has at most 1,048,576 rows: export CSV, or fewer records by a filter.',
} as const;

export const fileProblem = createProblems(fileProblemTexts);
