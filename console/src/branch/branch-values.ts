import { attributeFields } from '../forms/attributes.ts';
import type { FieldValues } from '../forms/drafts.ts';
import type { BranchesQuery, BranchFieldsFragment } from './documents.generated.ts';

export type ListedBranch = BranchFieldsFragment & Pick<BranchesQuery['branchesConnection']['nodes'][number], 'program'>;

export const emptyBranch = { name: '', code: '', description: '', years: 4, codePrefix: '', codeIsNumeric: true };
export type BranchValues = typeof emptyBranch & FieldValues;

export const branchValues = (branch: BranchFieldsFragment): BranchValues => ({
  ...attributeFields(branch.attributes),
  name: branch.name,
  code: branch.code ?? '',
  description: branch.description,
  years: branch.years.length,
  codePrefix: branch.codePrefix,
  codeIsNumeric: branch.codeIsNumeric,
});
export const branchFields = Object.keys(emptyBranch);

/** The cells of a file that name a branch. */
export const branchRecord = ({ id, name, years, program }: ListedBranch): Record<string, string | number> => ({
  ...(program !== undefined && {
    program_id: program.id,
    program_name: program.name,
    program_duration: program.duration,
  }),
  branch_id: id,
  branch_name: name,
  branch_years: years.length,
});
