import { useState } from 'react';
import { useMutation } from 'urql';
import { Checkbox, Select, TextField } from '../components/fields.tsx';
import { Notice } from '../components/notices.tsx';
import { useIsUnread } from '../components/use-is-readable.ts';
import { type Definition, useDefinitions } from '../fields/definitions.ts';
import type { AttributeKind } from '../fields/documents.generated.ts';
import { Form } from '../forms/form.tsx';
import { giveUp } from '../forms/use-draft.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { Overlay } from '../overlays/overlay.tsx';
import { toast } from '../overlays/toast-queue.ts';
import { choicesOf } from './choice-rows.ts';
import { ChoicesEditor } from './choices-editor.tsx';
import { SaveDefinitionDocument } from './documents.generated.ts';
import { type DefinitionField, editedOf, onTopOf } from './edited-definition.ts';
import { keyOf } from './key-of.ts';

const kindNames: readonly AttributeKind[] = ['TEXT', 'CHOICE', 'WHOLE_NUMBER', 'DECIMAL', 'DATE', 'YES_NO', 'ADDRESS'];
const kinds = kindNames.map((value) => ({ value, text: t(`attributeKind.${value}`) }));

const empty = {
  label: '',
  help: '',
  kind: 'CHOICE',
  ofPrograms: true,
  ofBranches: true,
  required: false,
  choices: [],
} as const;

interface DefinitionFormProps {
  /** `null` for a new one. */
  readonly definition: Definition | null;
  readonly close: () => void;
}

/** Defines an attribute, or edits its definition. What others save meanwhile is taken over, below what one has typed. */
export function DefinitionForm({ definition, close }: DefinitionFormProps) {
  /** What the catalog had when one began, or has of oneself or others since. */
  const [base, setBase] = useState(definition);
  const [values, setValues] = useState(editedOf(definition ?? empty));
  /** What both have changed; `null` if nobody else has saved it. */
  const [both, setBoth] = useState<readonly DefinitionField[] | null>(null);
  const known = useDefinitions();
  const newest = known.find(({ id }) => id === base?.id);
  if (base !== null && newest !== undefined && newest.version > base.version) {
    const taken = onTopOf(newest, values, base);
    setBase(newest);
    setValues(taken.edited);
    setBoth(taken.both);
  }
  // Saving replaces what they have.
  const isUnread = useIsUnread(both, both !== null && both.length > 0);
  const [, save] = useMutation(SaveDefinitionDocument);
  const { label, help, kind, ofPrograms, ofBranches, required, rows } = values;
  const put = (changed: Partial<typeof values>): void => setValues({ ...values, ...changed });
  // The key of a new one follows from its label, until another is typed.
  const [typedKey, setTypedKey] = useState(definition?.key);
  const key = typedKey ?? keyOf(label);
  const name = label.trim() || key.trim();
  const choices = kind === 'CHOICE' ? choicesOf(rows) : [];
  const sent = { key: key.trim(), label: name, help, kind, ofPrograms, ofBranches, required, choices };
  const isTaken = base === null && known.some((one) => one.key === sent.key);
  return (
    <Overlay
      title={definition === null ? t('definitions.define') : t('definitions.editOne', { name: definition.label })}
      close={close}
    >
      <Form
        label={t('field.attribute')}
        submitText={t('common.save')}
        fields={['key', 'label', 'help', 'kind']}
        version={base?.version ?? 0}
        isHeld={isUnread}
        send={() => save({ input: { ...sent, expectedVersion: base?.version ?? 0 } })}
        done={({ saveAttributeDefinition: saved }, _goesOn, hasTyped) => {
          toast(t.rich('common.saved', { name, bdi }));
          setBase({ ...sent, position: base?.position ?? known.length + 1, ...saved });
          setBoth(null);
          if (!hasTyped) close();
        }}
        onCancel={(isUnsaved) => giveUp(isUnsaved, close)}
      >
        {(problems) => (
          <>
            <TextField
              label={t('definitions.label')}
              description={t('definitions.labelHint')}
              autoFocus
              value={label}
              onChange={(next) => put({ label: next })}
              problem={problems['label']}
            />
            {base === null && (
              <TextField
                label={t('definitions.key')}
                description={t('definitions.keyHint')}
                isRequired
                value={key}
                onChange={setTypedKey}
                problem={isTaken ? t('definitions.keyTaken') : problems['key']}
              />
            )}
            <TextField
              label={t('definitions.help')}
              description={t('definitions.helpHint')}
              value={help}
              onChange={(next) => put({ help: next })}
              problem={problems['help']}
            />
            <Select
              label={t('definitions.kind')}
              description={base === null ? undefined : t('definitions.kindHint')}
              value={kind}
              options={kinds}
              onChange={(next) => put({ kind: next })}
              problem={problems['kind']}
            />
            {kind === 'CHOICE' && <ChoicesEditor rows={rows} change={(next) => put({ rows: next })} />}
            <Checkbox isSelected={ofPrograms} onChange={(next) => put({ ofPrograms: next })}>
              {t('definitions.ofPrograms')}
            </Checkbox>
            <Checkbox isSelected={ofBranches} onChange={(next) => put({ ofBranches: next })}>
              {t('definitions.ofBranches')}
            </Checkbox>
            <Checkbox isSelected={required} onChange={(next) => put({ required: next })}>
              {t('definitions.requiredHint')}
            </Checkbox>
            {both !== null && base !== null && (
              <Notice>
                {t('definitions.changedMeanwhile')}
                {both.length > 0 && ` ${t('definitions.bothChanged', { values: describe(both, base) })}`}
              </Notice>
            )}
          </>
        )}
      </Form>
    </Overlay>
  );
}

/** The values of a definition, for readers: `Label: Level; Choices: Bachelor, Master`. */
function describe(fields: readonly DefinitionField[], definition: Definition): string {
  const yesOrNo = (isSo: boolean): string => t(isSo ? 'history.yes' : 'history.no');
  const { label, help, kind, ofPrograms, ofBranches, required, choices } = definition;
  const texts: Readonly<Record<DefinitionField, readonly [string, string]>> = {
    label: [t('definitions.label'), label],
    help: [t('definitions.help'), help],
    kind: [t('definitions.kind'), t(`attributeKind.${kind}`)],
    ofPrograms: [t('definitions.ofPrograms'), yesOrNo(ofPrograms)],
    ofBranches: [t('definitions.ofBranches'), yesOrNo(ofBranches)],
    required: [t('definitions.required'), yesOrNo(required)],
    rows: [t('definitions.choices'), choices.map((choice) => choice.label).join(', ')],
  };
  return fields.map((field) => texts[field].join(t('common.colon'))).join('; ');
}
