import type { ServiceError } from '@service/errors';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';

/** The part of the context of a request that the server uses; resolvers get the whole one. */
export interface ExecutionContext {
  readonly state: {
    /** Whose executions take turns with those of others. */
    readonly account: string;
    readonly log: Logger;
    readonly app: {
      readonly metrics: {
        /** Counts a request that was rejected before a resolver ran. */
        failed(code: string): void;
      };
      readonly tracing: OperationTracing | undefined;
    };
    /** Calls back once the response is sent or its client disconnects; at once if that has happened. */
    onClosed(release: () => void): void;
    /** Holds the admission slot until it is called back, even if the client disconnects. */
    holdSlot(): () => void;
  };
}

export interface OperationTracing {
  /** Runs an operation within a span; `fail` records the code of a failure of the service itself. */
  operation<Result>(
    operation: { readonly type: string; readonly name: string | undefined },
    run: (fail: (code: string) => void) => Promise<Result>,
  ): Promise<Result>;
}

/** The values that Yoga passes to its plugins, beside the context. */
export interface ServerContext<Context extends ExecutionContext = ExecutionContext> {
  readonly requestContext: Context;
  /** Equal for requests with equal results: the same address, body, and permissions of the caller. */
  readonly cacheKey: string;
  /** Bytes of the body, or characters of the address. */
  readonly requestLength: number;
}

/** Plugin that wraps executions, such as a response cache. */
export type ExecutionPlugin<Context> = Pick<Plugin<Context & Pick<ServerContext, 'cacheKey'>>, 'onExecute'>;

/** Maps an error of a resolver to one that clients may see: only the service can recognize its outages. */
export type ToServiceError = (problem: unknown) => ServiceError;
