import type { Report } from '../api/import-report.ts';
import { Select } from '../components/fields.tsx';
import { t } from '../language/language.ts';
import { type FileHead, type Reading, typeOf } from './import-file.ts';

const encodings = [
  { value: 'UTF-8', text: 'UTF-8' },
  ...(
    [
      ['Windows-1252', 'western'],
      ['Windows-1250', 'central'],
      ['Windows-1251', 'cyrillic'],
      ['Windows-1253', 'greek'],
      ['Windows-1254', 'turkish'],
      ['Windows-1255', 'hebrew'],
      ['Windows-1256', 'arabic'],
      ['Windows-1257', 'baltic'],
      ['Windows-1258', 'vietnamese'],
      ['Windows-874', 'thai'],
      ['GB18030', 'simplified'],
      ['Big5', 'traditional'],
      ['Shift_JIS', 'japanese'],
      ['EUC-KR', 'korean'],
      ['Macintosh', 'excel'],
    ] as const
  ).map(([value, region]) => ({ value, text: t('transfer.encoding', { charset: value, region }) })),
] as const;

interface FileReadingProps {
  /** Name of the file. */
  readonly name: string;
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
      label={t('transfer.headerRow')}
      value={String(head.headerRow)}
      options={head.firstRows.map(({ line, text }) => ({
        value: String(line),
        text: t('transfer.row', { line, text }),
      }))}
      onChange={onChange}
    />
  );
}

/** Which sheet is read, and in which encoding: a choice only where nothing in the file says it. */
export function FileReading({ name, head, report, reading, onChange }: FileReadingProps) {
  if (head !== null && head.sheets.length > 1) {
    const options = head.sheets.map((sheet) => ({ value: sheet, text: sheet }));
    return (
      <Select
        label={t('transfer.sheet')}
        value={head.sheet ?? ''}
        options={options}
        onChange={(sheet) => onChange({ sheet })}
      />
    );
  }
  const { encoding, encodingSample } = report ?? head ?? { encoding: null, encodingSample: [] };
  const isRecognized = encoding === 'UTF-8' || encoding === 'UTF-16';
  if (typeOf(name) !== 'text/csv' || (isRecognized && reading.encoding === undefined)) return null;
  const value = encodings.find((known) => known.value === (encoding ?? reading.encoding))?.value ?? 'UTF-8';
  return (
    <section className="reading" aria-label={t('transfer.characters')}>
      <Select
        label={t('transfer.charactersOfFile')}
        value={value}
        options={encodings}
        onChange={(chosen) => onChange({ encoding: chosen })}
      />
      {encodingSample.length > 0 && (
        <div>
          <p className="hint">{t('transfer.encodingHint')}</p>
          <ul>
            {encodingSample.map(({ line, text }) => (
              <li key={line} className="name-text">
                <span className="hint">{t('transfer.line', { line })}</span> <span translate="no">{text}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
