/** `1,234`. */
export const formatCount = (count: number): string => count.toLocaleString('en');

/** `1 program`, `1,234 programs`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
