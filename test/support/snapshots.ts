interface OwnFields {
  readonly name: unknown;
  readonly duration: unknown;
  readonly code?: unknown;
  readonly attributes?: unknown;
}

/** A program in the audit log, where nothing but these fields was given. */
export const programSnapshot = (fields: OwnFields) => ({ code: null, attributes: {}, ...fields });
