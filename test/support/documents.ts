import { parse } from 'graphql';

/** The documents of GraphQL that say what the endpoints of REST say. */
export const documents = {
  ping: parse('{ ping { status } }'),
  listPrograms: parse(`query ($page: Int, $size: Int) {
    programs(page: $page, size: $size) {
      items { id name duration } pageNumber pageSize totalPages count hasPreviousPage hasNextPage
    }
  }`),
  retrieveProgram: parse(
    'query ($id: Int!) { program(id: $id) { id name duration branches { id name description } } }',
  ),
  retrieveBranch: parse('query ($id: Int!) { branch(id: $id) { id name description years { id code year } } }'),
  createProgram: parse('mutation ($input: CreateProgramInput!) { createProgram(input: $input) { id name duration } }'),
  createBranch: parse('mutation ($input: CreateBranchInput!) { createBranch(input: $input) { id name description } }'),
} as const;
