import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import type { Read, Write } from '../operations/operation.ts';
import { perform, performAsJson } from '../operations/perform.ts';
import type { Selection } from '../operations/selection.ts';
import type { ReadFieldAsJson } from './access.ts';
import type { Context } from './context.ts';

/** Field options of a root field that performs a read. */
export function reads<Input, Result>(operation: Read<Input, Result>) {
  return {
    operation,
    resolve: (_parent: unknown, args: object, { reading }: Context): Promise<Result> =>
      perform(operation, () => inputOf(args), reading),
    asJson: (fields: readonly Selection[]): ReadFieldAsJson | undefined => {
      const reader = operation.json?.(fields);
      return (
        reader && {
          length: reader.length ?? 0,
          read: (args, reading) => performAsJson(operation, () => inputOf(args), reader, reading),
        }
      );
    },
  };
}

/**
 * Options of a mutation field that performs a write. It is nullable, so that one failed field does not hide the others
 * of its document (`docs/contract.md` 7).
 */
export function writes<Input, Result>(operation: Write<Input, Result>) {
  return {
    nullable: true,
    operation,
    resolve: (_parent: unknown, args: object, { reading }: Context, info: GraphQLResolveInfo): Promise<Result> =>
      perform(
        operation,
        () => inputOf(args),
        reading,
        (warning) => reading.warnings.push({ ...warning, path: responsePathAsArray(info.path) }),
      ),
  } as const;
}

/** Returns the arguments of a field, with those of `input` on the same level. */
export function inputOf(args: object): object {
  const { input, ...others }: { readonly input?: object | null } = args;
  return { ...others, ...input };
}
