import { Select } from '../components/fields.tsx';
import { formatCount } from '../format/text.ts';
import type { Report } from '../import-report/report.ts';
import { type FileHead, type Reading, typeOf } from './import-file.ts';

const encodings = [
  { value: 'UTF-8', text: 'UTF-8' },
  { value: 'Windows-1252', text: 'Windows-1252 (Western Europe)' },
  { value: 'Windows-1250', text: 'Windows-1250 (Central Europe)' },
  { value: 'Windows-1251', text: 'Windows-1251 (Cyrillic)' },
  { value: 'Windows-1253', text: 'Windows-1253 (Greek)' },
  { value: 'Windows-1254', text: 'Windows-1254 (Turkish)' },
  { value: 'Windows-1255', text: 'Windows-1255 (Hebrew)' },
  { value: 'Windows-1256', text: 'Windows-1256 (Arabic)' },
  { value: 'Windows-1257', text: 'Windows-1257 (Baltic)' },
  { value: 'Windows-1258', text: 'Windows-1258 (Vietnamese)' },
  { value: 'Windows-874', text: 'Windows-874 (Thai)' },
  { value: 'GB18030', text: 'GB18030 (simplified Chinese)' },
  { value: 'Big5', text: 'Big5 (traditional Chinese)' },
  { value: 'Shift_JIS', text: 'Shift_JIS (Japanese)' },
  { value: 'EUC-KR', text: 'EUC-KR (Korean)' },
  { value: 'Macintosh', text: 'Macintosh (Excel for Mac)' },
] as const;

interface FileReadingProps {
  readonly file: File;
  /** `null` for a file that could not be read. */
  readonly head: FileHead | null;
  readonly report: Report | null;
  readonly reading: Reading;
  readonly onChange: (reading: Reading) => void;
}

/** Which row names the columns: titles may stand above it. */
export function HeaderRow({ head, onChange }: { readonly head: FileHead; readonly onChange: (row: string) => void }) {
  return (
    <Select
      label="The names of the columns are in"
      value={String(head.headerRow)}
      options={head.firstRows.map(({ line, text }) => ({
        value: String(line),
        text: `Row ${formatCount(line)}: ${text}`,
      }))}
      onChange={onChange}
    />
  );
}

/** Which sheet is read, and in which encoding: a choice only where nothing in the file says it. */
export function FileReading({ file, head, report, reading, onChange }: FileReadingProps) {
  if (head !== null && head.sheets.length > 1) {
    const options = head.sheets.map((name) => ({ value: name, text: name }));
    return (
      <Select label="Sheet" value={head.sheet ?? ''} options={options} onChange={(sheet) => onChange({ sheet })} />
    );
  }
  const { encoding, encodingSample } = report ?? head ?? { encoding: null, encodingSample: [] };
  const isRecognized = encoding === 'UTF-8' || encoding === 'UTF-16';
  if (typeOf(file.name) !== 'text/csv' || (isRecognized && reading.encoding === undefined)) return null;
  const value = encodings.find((known) => known.value === encoding)?.value ?? 'UTF-8';
  return (
    <section className="reading" aria-label="Characters">
      <Select
        label="Characters of the file"
        value={value}
        options={encodings}
        onChange={(chosen) => onChange({ encoding: chosen })}
      />
      {encodingSample.length > 0 && (
        <div>
          <p className="hint">
            Nothing in the file says how its letters are stored. Are they right here? Else choose another.
          </p>
          <ul>
            {encodingSample.map(({ line, text }) => (
              <li key={line} className="name-text">
                <span className="hint">Line {formatCount(line)}</span> {text}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
