import { useMemo, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { ErrorNotice } from '../api/error-notice.tsx';
import { toastOutcome } from '../api/toast-outcome.ts';
import { Button } from '../components/button.tsx';
import { EmptyState, Sketch } from '../components/notices.tsx';
import { withMoved } from '../components/order.ts';
import { PageTitle } from '../components/page-title.tsx';
import { type Definition, offeredBy, useDefinitions } from '../fields/definitions.ts';
import { AttributeDefinitionsDocument } from '../fields/documents.generated.ts';
import { formatList, shortened } from '../format/text.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { ask } from '../overlays/overlay.tsx';
import { PrintTitle } from '../records/print-title.tsx';
import { useRights } from '../session/viewer.tsx';
import type { Column } from '../table/columns.ts';
import { RowActions, RowOpener } from '../table/row-actions.tsx';
import { Table } from '../table/table.tsx';
import { DefinitionForm } from './definition-form.tsx';
import { DeleteDefinitionDocument, SaveDefinitionDocument } from './documents.generated.ts';
import { OtherValues } from './other-values.tsx';
import { Grip, Reorder } from './reorder.tsx';

type Row = Definition & { readonly name: string };

/** What attributes mean, in the order of forms: for all who read the catalog. Administrators define them. */
export function AttributesScreen() {
  const { canManageAccess, canWrite } = useRights();
  const [{ data, error }, reload] = useQuery({ query: AttributeDefinitionsDocument, requestPolicy: 'cache-first' });
  const stored = useDefinitions();
  const [edited, setEdited] = useState<Definition | 'new' | null>(null);
  const [, save] = useMutation(SaveDefinitionDocument);
  const [, remove] = useMutation(DeleteDefinitionDocument);
  /** The order that the user has chosen, until the service has it. */
  const [order, setOrder] = useState<readonly Definition[] | null>(null);
  const shown = order ?? stored;
  const rows = useMemo(() => shown.map((one): Row => ({ ...one, name: one.label })), [shown]);
  const columns = useMemo(
    () => definitionColumns(canManageAccess ? setEdited : undefined, canWrite),
    [canManageAccess, canWrite],
  );
  const move = async (from: number, to: number): Promise<void> => {
    const definition = shown[from];
    const next = withMoved(shown, from, to);
    if (definition === undefined || next === shown) return;
    setOrder(next);
    const { error: failure } = await save({ input: { key: definition.key, position: to + 1 } });
    toastOutcome(failure);
    setOrder(null);
  };
  const askDeletion = ({ key, label: name }: Definition): void => {
    const run = async (): Promise<void> => {
      const { error: failure } = await remove({ key });
      toastOutcome(failure, t.rich('definitions.deleted', { name, bdi }));
    };
    const text = t('definitions.deleteAbout', { name });
    ask({ title: t('definitions.deleteTitle'), text, action: t('access.delete'), run: () => void run() });
  };
  const actions = (definition: Row) => {
    const { label: name } = definition;
    const at = shown.findIndex(({ id }) => id === definition.id);
    return (
      <RowActions
        name={name}
        actions={[
          { text: t('access.edit'), label: t('definitions.editOne', { name }), run: () => setEdited(definition) },
          { text: t('definitions.up'), label: t('definitions.moveUp', { name }), run: () => void move(at, at - 1) },
          { text: t('definitions.down'), label: t('definitions.moveDown', { name }), run: () => void move(at, at + 1) },
          { text: t('access.delete'), run: () => askDeletion(definition) },
        ]}
      />
    );
  };
  return (
    <>
      <div className="page-head">
        <PageTitle text={t('field.attributes')} />
        {canManageAccess && (
          <Button look="primary" onClick={() => setEdited('new')}>
            {t('definitions.define')}
          </Button>
        )}
      </div>
      <PrintTitle />
      {error !== undefined && <ErrorNotice error={error} retry={() => reload()} isShown={data !== undefined} />}
      {data === undefined && error === undefined && <Sketch />}
      {data !== undefined && rows.length === 0 && (
        <EmptyState
          title={t('definitions.none')}
          about={`${t('definitions.about')}${canManageAccess ? '' : ` ${t('definitions.byAdministrators')}`}`}
        />
      )}
      {rows.length > 0 && (
        <>
          <p className="hint">
            {t('definitions.about')} {t(canManageAccess ? 'definitions.order' : 'definitions.byAdministrators')}
          </p>
          <Reorder move={canManageAccess ? (from, to) => void move(from, to) : undefined}>
            <Table
              label={t('field.attributes')}
              list={{ items: rows }}
              columns={columns}
              actions={canManageAccess ? actions : undefined}
            />
          </Reorder>
        </>
      )}
      {edited !== null && (
        <DefinitionForm definition={edited === 'new' ? null : edited} close={() => setEdited(null)} />
      )}
    </>
  );
}

function definitionColumns(
  edit: ((definition: Definition) => void) | undefined,
  canReplace: boolean,
): readonly Column<Row>[] {
  return [
    {
      id: 'label',
      name: t('definitions.label'),
      width: 'minmax(0, 2fr)',
      text: ({ label, help }) => [label, help].filter((text) => text !== '').join(t('common.colon')),
      cell: (definition) => {
        const name = <strong translate="no">{definition.label}</strong>;
        return (
          <>
            {edit !== undefined && <Grip />}{' '}
            {edit === undefined ? name : <RowOpener open={() => edit(definition)}>{name}</RowOpener>}{' '}
            {definition.required && <span className="badge">{t('definitions.required')}</span>}{' '}
            <span className="hint" translate="no">
              {definition.help}
            </span>
          </>
        );
      },
    },
    { id: 'key', name: t('definitions.key'), width: 'minmax(0, 1fr)', look: 'code', text: ({ key }) => key },
    {
      id: 'kind',
      name: t('definitions.kind'),
      width: 'minmax(0, 1.2fr)',
      isNarrow: true,
      text: (definition) => {
        const { kind, choices } = definition;
        if (kind !== 'CHOICE') return t(`attributeKind.${kind}`);
        const labels = offeredBy(definition)?.map(({ text }) => text) ?? [];
        return (
          t('definitions.choiceCount', { count: choices.length }) + t('common.colon') + shortened(labels.join(', '))
        );
      },
    },
    { id: 'of', name: t('definitions.of'), width: 'minmax(0, 1.4fr)', look: 'quiet', text: recordsOf },
    {
      id: 'others',
      name: t('definitions.others'),
      width: 'minmax(0, 2fr)',
      isNarrow: true,
      cell: (definition) => <OtherValues definition={definition} canReplace={canReplace} />,
    },
  ];
}

const recordsOf = ({ ofPrograms, ofBranches }: Definition): string =>
  formatList([
    ...(ofPrograms ? [t('common.many', { kind: 'PROGRAM' })] : []),
    ...(ofBranches ? [t('common.many', { kind: 'BRANCH' })] : []),
  ]);
