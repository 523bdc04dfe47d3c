/** The driver puts neither address nor password into the first line. */
export function driverErrorReason(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return driverErrorReason(cause.errors[0]);
  return cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : 'unknown reason';
}
