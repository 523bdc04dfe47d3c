/** Smaller parts are joined to parts of this size. */
export const joinedBytes = 4_096;
/** Memory of a part of a body beside its bytes. */
export const partBytes = 200;
/** The first parts are joined to one of this size; it doubles whenever it is full. */
const firstBytes = 64;

/** Small parts that become one, which has room for at most twice their bytes, or `firstBytes`. */
interface SmallParts {
  readonly length: () => number;
  /** In bytes, as far as it is taken up. */
  readonly memory: () => number;
  readonly hasRoomFor: (part: Buffer) => boolean;
  readonly add: (part: Buffer) => void;
  /** All that was added, if anything was. */
  readonly take: () => Buffer | undefined;
}

export function createSmallParts(): SmallParts {
  let joined: Buffer | undefined;
  let length = 0;

  /** A part that stays alone is not copied. */
  const grow = (first: Buffer, needed: number): Buffer => {
    let size = firstBytes;
    while (size < needed) size *= 2;
    const larger = Buffer.allocUnsafeSlow(Math.min(size, joinedBytes));
    first.copy(larger, 0, 0, length);
    return larger;
  };

  return {
    length: () => length,
    memory: () => joined?.length ?? 0,
    hasRoomFor: (part) => length + part.length <= joinedBytes,
    add: (part) => {
      if (joined === undefined) joined = part;
      else {
        if (length + part.length > joined.length) joined = grow(joined, length + part.length);
        part.copy(joined, length);
      }
      length += part.length;
    },
    take: () => {
      const taken = joined?.subarray(0, length);
      joined = undefined;
      length = 0;
      return taken;
    },
  };
}

/** The parts of a body, few however many have arrived. */
interface JoinedParts {
  readonly add: (part: Buffer) => void;
  /** Bytes of memory that they take. */
  readonly memory: () => number;
  /** The parts in their order; none are left. */
  readonly takeAll: () => Buffer[];
}

export function createJoinedParts(): JoinedParts {
  let parts: Buffer[] = [];
  let memory = 0;
  const small = createSmallParts();

  const append = (part: Buffer | undefined): void => {
    if (part === undefined) return;
    parts.push(part);
    memory += part.length + partBytes;
  };

  return {
    add: (part) => {
      if (!small.hasRoomFor(part)) append(small.take());
      if (part.length < joinedBytes) small.add(part);
      else append(part);
    },
    memory: () => memory + small.memory() + partBytes,
    takeAll: () => {
      append(small.take());
      const all = parts;
      parts = [];
      memory = 0;
      return all;
    },
  };
}
