import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from '../../../../src/context.ts';

/** Plugin that holds the admission slot until the execution has ended: Yoga responds no more when a client is gone. */
export function useAdmissionSlot(): Plugin<RequestContext> {
  return {
    onExecute: ({ args: { contextValue }, executeFn, setExecuteFn }) => {
      setExecuteFn((args) => contextValue.holdingSlot(async () => executeFn(args)));
    },
  };
}
