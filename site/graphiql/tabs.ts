/** An initial tab of GraphiQL. */
export interface Tab {
  readonly query: string;
  readonly variables?: string;
}

const json = (value: object): string => JSON.stringify(value, null, 2);

/** The initial tabs; each is named after its operation. */
export const tabs: readonly Tab[] = [
  {
    query: `# 1. Paste your API key at the top of the page.
# 2. Press the run button, or Ctrl-Enter.
query ListPrograms($page: Int, $size: Int) {
  programs(page: $page, size: $size) {
    count
    totalPages
    items {
      id
      name
      duration
    }
  }
}
`,
    variables: json({ page: 1, size: 10 }),
  },
  {
    query: `# Three levels in one request.
query Nested {
  programs(size: 5) {
    items {
      name
      duration
      branches {
        name
        years {
          year
          code
        }
      }
    }
  }
}
`,
  },
  {
    query: `# Requires the permission programs:write.
# An Idempotency-Key header makes it safe to retry.
mutation CreateProgram($input: CreateProgramInput!) {
  createProgram(input: $input) {
    id
    name
    duration
    code
    version
  }
}
`,
    variables: json({ input: { name: 'Bachelor of Science', duration: '3 Years', code: 'BSC' } }),
  },
  {
    query: `# For the next page, copy endCursor to the variable "after".
query PageByCursor($first: Int, $after: String) {
  programsConnection(first: $first, after: $after, orderBy: NAME_ASC) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      id
      name
    }
  }
}
`,
    variables: json({ first: 5, after: null }),
  },
  {
    query: `# Receives each change until you stop it.
subscription CatalogChanged {
  catalogChanged {
    action
    kind
    at
    program {
      name
    }
    branch {
      name
    }
  }
}
`,
  },
];
