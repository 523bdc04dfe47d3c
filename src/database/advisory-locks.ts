/** The keys of the advisory locks of a database. They spell `uas1` to `uas4`. */
export const advisoryLocks = {
  /** The migrating transaction; other instances wait for it. */
  migration: 0x75_61_73_31,
  /** The instance that creates the first key. */
  bootstrap: 0x75_61_73_32,
  /** Imports run one at a time, so that two of the same file create nothing twice. */
  import: 0x75_61_73_33,
  /** With the id of a program: its deletion queues with the creations of its branches, in the order of arrival. */
  deletion: 0x75_61_73_34,
} as const;
