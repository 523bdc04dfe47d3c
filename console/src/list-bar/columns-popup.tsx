import { Button } from '../components/button.tsx';
import { Checkbox } from '../components/fields.tsx';
import { AttributeName } from '../fields/attribute-texts.tsx';
import { useNewestDefinitions } from '../fields/definitions.ts';
import { t } from '../language/language.ts';
import { type Column, moved } from '../table/columns.ts';
import { TextForm } from './conditions/value-editors.tsx';

interface ColumnsPopupProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly shown: readonly Column<Row>[];
  /** Adds the column of an attribute that no record has yet. */
  readonly add: (attribute: string) => void;
  /** `null`: the default columns. */
  readonly choose: (columns: readonly Column<Row>[] | null) => void;
}

/** Lets the user choose the columns of a list, and their order. */
export function ColumnsPopup<Row>({ columns, shown, add, choose }: ColumnsPopupProps<Row>) {
  useNewestDefinitions();
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
                    <Button
                      key={by}
                      look="quiet"
                      aria-label={t('listBar.moveColumn', { column: column.name, side: by < 0 ? 'left' : 'right' })}
                      disabled={index === (by < 0 ? 1 : shown.length - 1)}
                      onClick={() => choose(moved(shown, column.id, by))}
                    >
                      {by < 0 ? '↑' : '↓'}
                    </Button>
                  ))}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <TextForm
        label={t('fields.another')}
        submitText={t('fields.add')}
        autoFocus={false}
        Field={AttributeName}
        onSubmit={add}
      />
      <Button onClick={() => choose(null)}>{t('listBar.asUsual')}</Button>
    </>
  );
}
