/** The route of the screen of a record, for the router. */
export const recordRoute = (kind: 'PROGRAM' | 'BRANCH', id: number) =>
  kind === 'PROGRAM'
    ? ({ to: '/programs/$programId', params: { programId: id } } as const)
    : ({ to: '/branches/$branchId', params: { branchId: id } } as const);
