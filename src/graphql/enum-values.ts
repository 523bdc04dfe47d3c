interface EnumValue<Name> {
  readonly value: Name;
  readonly description: string;
}

/** The values of an enum whose names are stored otherwise: `ApiKey` is `API_KEY` in GraphQL, `programs:read` `PROGRAMS_READ`. */
export function upperCaseValues<Name extends string>(
  names: readonly Name[],
  descriptions: Readonly<Record<Name, string>> | ((name: Name) => string),
): Record<string, EnumValue<Name>> {
  return Object.fromEntries(
    names.map(
      (value) =>
        [
          upperCased(value),
          { value, description: typeof descriptions === 'function' ? descriptions(value) : descriptions[value] },
        ] as const,
    ),
  );
}

const upperCased = (name: string): string => name.replace(/[:-]|(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
