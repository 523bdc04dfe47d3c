import { builder } from '../../graphql/builder.ts';
import { reads, writes } from '../../graphql/performing.ts';
import { attributeKinds } from '../rules/value-forms.ts';
import { choicesMax } from './definition-input.ts';
import type { Choice, Definition } from './definitions.ts';
import { deleteAttributeDefinition, readDefinitions, saveAttributeDefinition } from './operations.ts';
import { definitionsMax } from './save-definition.ts';

const kindDescriptions: Readonly<Record<(typeof attributeKinds)[number], string>> = {
  TEXT: 'Any text of one line.',
  CHOICE: 'One of the choices of the definition.',
  WHOLE_NUMBER: 'A whole number: `7`.',
  DECIMAL: 'A number: `7.5`.',
  DATE: 'A date: `2026-12-31`.',
  YES_NO: '`true` or `false`.',
  ADDRESS: 'An address on the web: `https://www.example.org/`.',
};

const AttributeKindEnum = builder.enumType('AttributeKind', {
  description: 'What the values of an attribute are. They are stored as texts, each in one form.',
  values: Object.fromEntries(
    attributeKinds.map((kind) => [kind, { value: kind, description: kindDescriptions[kind] }]),
  ),
});

const descriptions = {
  key: 'Key of the attribute.',
  ofPrograms: 'Whether programs have it.',
  ofBranches: 'Whether branches have it.',
  label: 'What people call it.',
  help: 'What to enter; may be empty.',
  kind: 'What its values are.',
  required:
    'Whether a new record must have it, and no record may lose it. Records without it stay, and so do those that are created over REST.',
  position: 'Its place in forms: 1 and following.',
  choices: 'The values of a `CHOICE`, in the order of pickers.',
  value: 'The value, as records have it.',
  choiceLabel: 'What people call it; in files it stands for the value.',
  retired: 'Whether it is no longer for new values. Records that have it keep it.',
  replacedBy: 'The value that took its place.',
} as const;

const ChoiceType = builder.objectRef<Choice>('AttributeChoice').implement({
  description: 'A value that an attribute may have.',
  fields: (t) => ({
    value: t.exposeString('value', { description: descriptions.value }),
    label: t.exposeString('label', { description: descriptions.choiceLabel }),
    retired: t.exposeBoolean('retired', { description: descriptions.retired }),
    replacedBy: t.exposeString('replacedBy', {
      nullable: true,
      description: `${descriptions.replacedBy} \`null\` for none.`,
    }),
  }),
});

const DefinitionType = builder.objectRef<Definition>('AttributeDefinition').implement({
  description: 'What the attribute with a key is in this university. It is in the way of no value that a record has.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the definition.' }),
    key: t.exposeString('key', { description: `${descriptions.key} Unique.` }),
    ofPrograms: t.exposeBoolean('ofPrograms', { description: descriptions.ofPrograms }),
    ofBranches: t.exposeBoolean('ofBranches', { description: descriptions.ofBranches }),
    label: t.exposeString('label', { description: descriptions.label }),
    help: t.exposeString('help', { description: descriptions.help }),
    kind: t.expose('kind', { type: AttributeKindEnum, description: descriptions.kind }),
    required: t.exposeBoolean('required', { description: descriptions.required }),
    position: t.exposeInt('position', { description: descriptions.position }),
    choices: t.expose('choices', { type: [ChoiceType], description: descriptions.choices }),
    version: t.exposeInt('version', { description: 'Incremented by each change of the definition, starting at 1.' }),
  }),
});

const ChoiceInput = builder.inputType('AttributeChoiceInput', {
  description: 'A value that an attribute may have.',
  fields: (t) => ({
    value: t.string({ required: true, description: `${descriptions.value} One line, 1 to 500 characters.` }),
    label: t.string({ description: `${descriptions.choiceLabel} The value when absent.` }),
    retired: t.boolean({ description: `${descriptions.retired} False when absent.` }),
    replacedBy: t.string({ description: `${descriptions.replacedBy} None when absent.` }),
  }),
});

const DefinitionInput = builder.inputType('AttributeDefinitionInput', {
  description: 'The definition of an attribute. Fields that are absent or `null` stay as they are.',
  fields: (t) => ({
    key: t.string({
      required: true,
      description: `${descriptions.key} 1 to 40 letters (A-Z, a-z), digits, or one of \`_\`, \`.\` and \`-\`; not beginning with \`name.\` or \`description.\`.`,
    }),
    ofPrograms: t.boolean({
      description: `${descriptions.ofPrograms} A new definition is of both unless it says of which.`,
    }),
    ofBranches: t.boolean({
      description: `${descriptions.ofBranches} A new definition is of both unless it says of which.`,
    }),
    label: t.string({
      description: `${descriptions.label} One line, 1 to 100 characters; of a new one, the key when absent.`,
    }),
    help: t.string({ description: 'What to enter: at most 2,000 characters.' }),
    kind: t.field({ type: AttributeKindEnum, description: `${descriptions.kind} Of a new one, \`TEXT\` when absent.` }),
    required: t.boolean({ description: `${descriptions.required} Of a new one, false when absent.` }),
    position: t.int({ description: `${descriptions.position} Others make place; of a new one, the last when absent.` }),
    choices: t.field({
      type: [ChoiceInput],
      description: `All values of a \`CHOICE\`, at most ${choicesMax.toLocaleString('en')}. One that records have can be retired, but not left out. Values and labels are each there once; the label of one is not the value of another.`,
    }),
    expectedVersion: t.int({
      description: 'Save only if the definition has this version, 0 for a new one; otherwise fail with `CONFLICT`.',
    }),
  }),
});

builder.queryField('attributeDefinitions', (t) =>
  t.field({
    type: [DefinitionType],
    description: 'The definitions of attributes, in order of position. Needs the permission `programs:read`.',
    ...reads(readDefinitions),
  }),
);

builder.mutationFields((t) => ({
  saveAttributeDefinition: t.field({
    type: DefinitionType,
    description: `Defines an attribute by its key, or changes its definition; changes no record. There are at most ${definitionsMax} definitions. For administrators.`,
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: { input: t.arg({ type: DefinitionInput, required: true, description: 'The definition.' }) },
    ...writes(saveAttributeDefinition),
  }),
  deleteAttributeDefinition: t.field({
    type: DefinitionType,
    description: 'Deletes the definition of an attribute; values of records stay. For administrators.',
    failsWith: ['NOT_FOUND'],
    args: { key: t.arg.string({ required: true, description: descriptions.key }) },
    ...writes(deleteAttributeDefinition),
  }),
}));
