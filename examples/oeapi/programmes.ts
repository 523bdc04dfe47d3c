import { createHash } from 'node:crypto';
import type { BranchAsSpecialisationFragment, ProgramAsProgrammeFragment } from './generated/operations.ts';

interface LanguageTypedString {
  readonly language: string;
  readonly value: string;
}

/** A programme of Open Education API 6.0, with those of its fields that the catalog has. */
export interface Programme {
  readonly programmeId: string;
  readonly primaryCode: { readonly codeType: string; readonly code: string };
  readonly programmeType: 'programme' | 'specialisation';
  readonly name: readonly LanguageTypedString[];
  readonly description?: readonly LanguageTypedString[];
  /** ISO 8601. */
  readonly duration?: string;
  readonly parentId?: string;
  readonly childIds?: readonly string[];
  /** What has no place in the specification. */
  readonly ext: Readonly<Record<string, unknown>>;
}

export interface Catalog {
  readonly programs: readonly ProgramAsProgrammeFragment[];
  readonly branches: readonly BranchAsSpecialisationFragment[];
}

export interface University {
  /** The address of the catalog: its identifiers are derived from it, so it must stay the same. */
  readonly address: string;
  /** The language of names and descriptions, as RFC 5646 says. */
  readonly language: string;
}

/** Programs as programmes, each followed by its branches as its specialisations. */
export function programmesOf({ programs, branches }: Catalog, { address, language }: University): Programme[] {
  const text = (value: string): LanguageTypedString[] => [{ language, value }];
  const programId = (id: number): string => uuidOf(`${address}/programs/${id}`);
  const branchId = (id: number): string => uuidOf(`${address}/branches/${id}`);
  const byProgram = new Map<number, Catalog['branches'][number][]>(programs.map(({ id }) => [id, []]));
  for (const branch of branches) byProgram.get(branch.program.id)?.push(branch);

  const specialisation = ({
    id,
    code,
    name,
    description,
    years,
    program,
  }: BranchAsSpecialisationFragment): Programme => ({
    programmeId: branchId(id),
    primaryCode: codeOf(id, code),
    programmeType: 'specialisation',
    name: text(name),
    // The specification has no empty description.
    ...(description === '' ? {} : { description: text(description) }),
    duration: `P${years.length}Y`,
    parentId: programId(program.id),
    ext: { years },
  });

  return programs.flatMap(({ id, code, name, duration }) => {
    const own = byProgram.get(id) ?? [];
    const programme: Programme = {
      programmeId: programId(id),
      primaryCode: codeOf(id, code),
      programmeType: 'programme',
      name: text(name),
      ...isoDurationOf(duration),
      childIds: own.map((branch) => branchId(branch.id)),
      ext: { duration },
    };
    return [programme, ...own.map(specialisation)];
  });
}

/** The university's own code; without one, the number that the service gives. */
function codeOf(id: number, code: string | null): Programme['primaryCode'] {
  return code === null ? { codeType: 'system_id', code: String(id) } : { codeType: 'programme_code', code };
}

/** `4 Years` is `P4Y`. A duration is free text, so that others, such as `3 years, full time`, are in `ext` alone. */
function isoDurationOf(duration: string): { duration?: string } {
  const [, count, unit = ''] = /^(\d+) *(year|month|week)s?$/i.exec(duration) ?? [];
  return count === undefined ? {} : { duration: `P${count}${unit.charAt(0).toUpperCase()}` };
}

/** A UUID of version 5 (RFC 9562) of a URL: the same each time. */
function uuidOf(url: string): string {
  const namespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');
  const bytes = createHash('sha1').update(namespace).update(url).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
