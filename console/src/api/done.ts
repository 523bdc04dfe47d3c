/** The data of a mutation that succeeded: a field of one that failed is `null`. */
export type Done<Data> = Data & { readonly [Field in keyof Data]: NonNullable<Data[Field]> };

export function isDone<Data>(data: Data | undefined): data is Done<Data> {
  return data !== undefined && Object.values(data ?? {}).every((value) => value !== null && value !== undefined);
}
