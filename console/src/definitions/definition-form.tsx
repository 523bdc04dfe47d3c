import { useState } from 'react';
import { useMutation } from 'urql';
import { Checkbox, Select, TextField } from '../components/fields.tsx';
import type { Definition } from '../fields/definitions.ts';
import type { AttributeKind } from '../fields/documents.generated.ts';
import { Form } from '../forms/form.tsx';
import { giveUp } from '../forms/use-draft.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { Overlay } from '../overlays/overlay.tsx';
import { toast } from '../overlays/toast-queue.ts';
import { choiceRows, choicesOf } from './choice-rows.ts';
import { ChoicesEditor } from './choices-editor.tsx';
import { SaveDefinitionDocument } from './documents.generated.ts';
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
} as const;

interface DefinitionFormProps {
  /** `null` for a new one. */
  readonly definition: Definition | null;
  readonly close: () => void;
}

export function DefinitionForm({ definition, close }: DefinitionFormProps) {
  const [values, setValues] = useState<Omit<Definition, 'id' | 'key' | 'position' | 'version' | 'choices'>>(
    definition ?? empty,
  );
  const [rows, setRows] = useState(choiceRows(definition?.choices ?? []));
  const [, save] = useMutation(SaveDefinitionDocument);
  const { label, help, kind, ofPrograms, ofBranches, required } = values;
  const put = (changed: Partial<typeof values>): void => setValues({ ...values, ...changed });
  // The key of a new one follows from its label, until another is typed.
  const [typedKey, setTypedKey] = useState(definition?.key);
  const key = typedKey ?? keyOf(label);
  const name = label.trim() || key.trim();
  return (
    <Overlay
      title={definition === null ? t('definitions.define') : t('definitions.editOne', { name: definition.label })}
      close={close}
    >
      <Form
        label={t('field.attribute')}
        submitText={t('common.save')}
        fields={['key', 'label', 'help', 'kind']}
        send={() =>
          save({
            input: {
              key: key.trim(),
              label: name,
              help,
              kind,
              ofPrograms,
              ofBranches,
              required,
              choices: kind === 'CHOICE' ? choicesOf(rows) : [],
              expectedVersion: definition?.version ?? 0,
            },
          })
        }
        done={(_done, _goesOn, hasTyped) => {
          toast(t.rich('common.saved', { name, bdi }));
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
            {definition === null && (
              <TextField
                label={t('definitions.key')}
                description={t('definitions.keyHint')}
                isRequired
                value={key}
                onChange={setTypedKey}
                problem={problems['key']}
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
              description={definition === null ? undefined : t('definitions.kindHint')}
              value={kind}
              options={kinds}
              onChange={(next) => put({ kind: next })}
              problem={problems['kind']}
            />
            {kind === 'CHOICE' && <ChoicesEditor rows={rows} change={setRows} />}
            <Checkbox isSelected={ofPrograms} onChange={(next) => put({ ofPrograms: next })}>
              {t('definitions.ofPrograms')}
            </Checkbox>
            <Checkbox isSelected={ofBranches} onChange={(next) => put({ ofBranches: next })}>
              {t('definitions.ofBranches')}
            </Checkbox>
            <Checkbox isSelected={required} onChange={(next) => put({ required: next })}>
              {t('definitions.requiredHint')}
            </Checkbox>
          </>
        )}
      </Form>
    </Overlay>
  );
}
