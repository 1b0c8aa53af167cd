/** The kinds of faults that a fuzz run finds. */
export type FindKind =
  | 'server error'
  | 'overload without a limit'
  | 'hang'
  | 'wrong shape'
  | 'foreign data'
  | 'broken connection'
  | 'leak'
  | 'never successful'

/**
 * A response that breaks a rule. `where` is the endpoint or the attack, and identifies the find.
 */
export class Find extends Error {
  override readonly name = 'Find'
  readonly kind: FindKind
  readonly where: string

  constructor(kind: FindKind, where: string, message: string) {
    super(message)
    this.kind = kind
    this.where = where
  }
}
