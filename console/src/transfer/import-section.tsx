import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { changesCatalog } from '../api/import-report.ts';
import { isForField } from '../browser/keys.ts';
import { usePageEvent } from '../browser/use-page-event.ts';
import { Button } from '../components/button.tsx';
import { Checkbox } from '../components/fields.tsx';
import { Notice } from '../components/notices.tsx';
import { useIsUnread } from '../components/use-is-readable.ts';
import { formatColumns } from '../fields/file-columns.ts';
import { ImportReport } from '../import-report/import-report.tsx';
import { t } from '../language/language.ts';
import { readClipboard } from '../paste/block.ts';
import { fileOf, takeOfferedFile } from '../paste/rest-file.ts';
import { Rows } from '../table/rows.tsx';
import { ColumnChoices } from './column-choices.tsx';
import { Estimate } from './estimate.tsx';
import { FileReading, HeaderRow } from './file-reading.tsx';
import { useImport } from './use-import.ts';

interface ImportSectionProps {
  /** Whether it follows the export that the user has come for, which then has the primary button. */
  readonly isSecond: boolean;
}

/** Checks a file first, and imports it when the user has seen the report. */
export function ImportSection({ isSecond }: ImportSectionProps) {
  const { plan, options, report, problem, running, ...does } = useImport();
  const {
    checkedMs,
    isOvertaken,
    isStale,
    choose,
    changeReading,
    changeColumns,
    changeOptions,
    checkAgain,
    goOn,
    run,
  } = does;
  const [isOver, setIsOver] = useState(false);
  const status = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  /** Moves the focus to the status: the pressed button disappears, and the result is below the status. */
  const andStay = (act: () => void) => (): void => {
    act();
    status.current?.focus({ preventScroll: true });
  };
  // Cells that are pasted where files are dropped are a file.
  usePageEvent('paste', (event) => {
    const block = readClipboard(event.clipboardData);
    const [file] = event.clipboardData?.files ?? [];
    const pasted = block.flat().length > 1 ? fileOf(block) : file;
    if (pasted === undefined || isForField(event)) return;
    event.preventDefault();
    void choose(pasted);
  });
  const isImporting = running === 'import';
  const begin = useEffectEvent(() => {
    const offered = takeOfferedFile();
    if (offered === null) goOn();
    else void choose(offered);
  });
  useEffect(() => {
    // Rows that are offered wait for a running import.
    if (!isImporting) begin();
  }, [isImporting]);
  // What the file would change appears here first.
  const isUnread = useIsUnread(report, report !== null);
  const mayImport = report !== null && report.outcome === 'checked' && changesCatalog(report);
  return (
    <section className="card" aria-labelledby="import-title">
      <h2 id="import-title">{t('transfer.import')}</h2>
      <label className={plan === null ? 'drop' : 'drop chosen'} data-drop-target={isOver || undefined}>
        <strong>{plan === null ? t('transfer.drop') : plan.file.source.name}</strong>
        <span className={plan === null && !isSecond ? 'button primary' : 'button'}>{t('transfer.chooseFile')}</span>
        {/* It covers the label: the browser takes what is dropped on it. */}
        <input
          ref={input}
          type="file"
          aria-label={t('transfer.chooseFile')}
          accept=".xlsx,.xlsm,.csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv,application/json"
          disabled={isImporting}
          onDragEnter={() => setIsOver(true)}
          onDragLeave={() => setIsOver(false)}
          onDrop={() => setIsOver(false)}
          onChange={({ target }) => {
            const [chosen] = target.files ?? [];
            // The same file may be chosen again, once it is corrected.
            target.value = '';
            if (chosen !== undefined) void choose(chosen);
          }}
        />
      </label>
      <p className="hint">{t('transfer.nothingBefore')}</p>
      {/* What comes and goes is below the check marks: they stay where one clicks. */}
      <div className="actions">
        {(['updates', 'skips', 'fillsDown', 'isWhole'] as const).map((option) => (
          <Checkbox
            key={option}
            isSelected={options[option]}
            isDisabled={isImporting}
            onChange={(isChosen) => changeOptions({ [option]: isChosen })}
          >
            {t(`transfer.${option}`)}
          </Checkbox>
        ))}
      </div>
      {plan === null && <FileFormat />}
      {plan !== null && (plan.head !== null || running === null) && (
        <FileReading {...plan} name={plan.file.source.name} report={report} onChange={changeReading} />
      )}
      {plan !== null && plan.head !== null && (
        <>
          {plan.head.headerRow !== null && plan.head.firstRows.length > 1 && (
            <HeaderRow head={plan.head} onChange={(headerRow) => changeReading({ ...plan.reading, headerRow })} />
          )}
          <ColumnChoices
            key={plan.head.columns.map(({ name }) => name).join()}
            names={plan.head.columns}
            columns={plan.columns}
            onChange={changeColumns}
            keep={options.updates ? options.keep : null}
            onKeep={(keep) => changeOptions({ keep })}
          />
        </>
      )}
      <div ref={status} role="status" tabIndex={-1}>
        {running !== null && (
          <p className="actions">
            {isImporting && checkedMs !== null ? <Estimate expectedMs={checkedMs} /> : <progress aria-hidden="true" />}
            {t(`importTask.${running}`)}
          </p>
        )}
      </div>
      {problem !== null && (
        <Notice look="bad" action={<Button onClick={andStay(checkAgain)}>{t('transfer.checkAgain')}</Button>}>
          {problem}
        </Notice>
      )}
      {plan !== null && isStale && (
        <Notice action={<Button onClick={() => input.current?.click()}>{t('transfer.chooseAgain')}</Button>}>
          {t('transfer.fileChanged', { name: plan.file.source.name })}
        </Notice>
      )}
      {isOvertaken && running === null && <Notice>{t('cells.changedMeanwhile')}</Notice>}
      {plan !== null && report !== null && running === null && (
        <ImportReport
          report={report}
          fileName={plan.file.source.name}
          columns={plan.columns}
          checkAgain={checkAgain}
          takeForRenamed={() => changeOptions({ renames: true, updates: true })}
          takeValues={() => changeOptions({ updates: true })}
          skipsHidden={options.skipsHidden}
          skipHidden={(skipsHidden) => changeOptions({ skipsHidden })}
        />
      )}
      {plan !== null && mayImport && running === null && (
        <div className="actions import-bar">
          <Button look="primary" isBusy={isUnread} onClick={andStay(run)}>
            {t('transfer.importName', { name: plan.file.source.name })}
          </Button>
        </div>
      )}
    </section>
  );
}

/** The columns that files usually have, as a spreadsheet shows them. */
const example = [
  ['program_name', 'program_duration', 'branch_name', 'branch_years', 'branch_code_prefix'],
  ['Bachelor of Technology', '4 Years', 'Computer Science', '4', 'CS'],
  ['Bachelor of Technology', '4 Years', 'Civil Engineering', '4', 'CE'],
  ['Bachelor of Laws', '3 Years'],
];

function FileFormat() {
  const [heads = [], ...rows] = example;
  return (
    <details>
      <summary>{t('transfer.looksLike')}</summary>
      <Rows label={t('transfer.example')} heads={heads} rows={rows} />
      <p>{t('transfer.formatAbout')}</p>
      <Rows
        label={t('listBar.columns')}
        heads={[t('transfer.column'), t('transfer.whatItIs'), t('transfer.isNeeded')]}
        rows={formatColumns.map(({ column, text, isRequired }) => [
          column,
          text,
          t(isRequired ? 'history.yes' : 'history.no'),
        ])}
      />
    </details>
  );
}
