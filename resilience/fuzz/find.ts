/** What a fuzz run looks for. */
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
 * A response that breaks a rule. `where` is the endpoint or the attack: finds are told apart by it.
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
