/** A broken invariant, which fails the run. */
export type Rule =
  | 'acknowledged writes lost'
  | 'invoices lost or issued twice'
  | 'wrong charges'
  | 'stuck'
  | 'sites that differ from their projects'
  | 'sites twice'
  | 'emails lost or sent twice'
  | 'sockets without events'
  | 'processes that ended by themselves'

export type Violation = { rule: Rule; description: string }

export const violationsOf = (rule: Rule, descriptions: readonly string[]): Violation[] =>
  descriptions.map((description) => ({ rule, description }))
