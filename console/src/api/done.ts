/** The data of a mutation that succeeded: a field of one that failed is `null`. */
export type Done<Data> = Data & { readonly [Field in keyof Data]: NonNullable<Data[Field]> };

export function isDone<Data>(data: Data | undefined): data is Done<Data> {
  // `null` when nothing was done, against the types of urql.
  return data !== undefined && data !== null && !Object.values(data).includes(null);
}
