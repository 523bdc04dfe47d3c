/** An example that GraphiQL opens with. */
export interface Tab {
  readonly query: string;
  readonly variables?: string;
}

const json = (value: object): string => JSON.stringify(value, null, 2);

/** The examples, in the order of their tabs; each tab has the name of its operation. */
export const tabs: readonly Tab[] = [
  {
    query: `# 1. Put your API key into the Headers editor.
# 2. Press the triangle, or Ctrl-Enter.
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
    query: `# Needs the permission programs:write.
# The header Idempotency-Key makes it safe to repeat.
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
    query: `# The next part: put endCursor into the variable "after".
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
    query: `# Shows each change until you stop it.
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
