import { Checkbox } from '../components/fields.tsx';
import { t } from '../language/language.ts';
import { type Column, moved } from '../table/columns.ts';

interface ColumnsPopupProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly shown: readonly Column<Row>[];
  /** `null`: the default columns. */
  readonly choose: (columns: readonly Column<Row>[] | null) => void;
}

/** Lets the user choose the columns of a list, and their order. */
export function ColumnsPopup<Row>({ columns, shown, choose }: ColumnsPopupProps<Row>) {
  const others = columns.filter((column) => !shown.some((one) => one.id === column.id));
  return (
    <>
      <ul>
        {[...shown, ...others].map((column, index) => {
          const isShown = index < shown.length;
          const turn = (): void => choose(isShown ? shown.filter((one) => one !== column) : [...shown, column]);
          return (
            <li key={column.id}>
              <Checkbox isSelected={isShown} isDisabled={index === 0} onChange={turn}>
                {column.name}
              </Checkbox>
              {isShown && index > 0 && (
                <span className="actions">
                  {([-1, 1] as const).map((by) => (
                    <button
                      type="button"
                      key={by}
                      className="button quiet"
                      aria-label={t('listBar.moveColumn', { column: column.name, side: by < 0 ? 'left' : 'right' })}
                      disabled={index === (by < 0 ? 1 : shown.length - 1)}
                      onClick={() => choose(moved(shown, column.id, by))}
                    >
                      {by < 0 ? '↑' : '↓'}
                    </button>
                  ))}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <button type="button" className="button" onClick={() => choose(null)}>
        {t('listBar.asUsual')}
      </button>
    </>
  );
}
