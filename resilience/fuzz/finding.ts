export type FindingKind =
  | 'server error'
  | 'overload without a limit'
  | 'hang'
  | 'wrong shape'
  | 'foreign data'
  | 'broken connection'
  | 'leak'
  | 'never successful'

/**
 * A response that breaks a rule. `where` is the endpoint or the attack, and identifies the finding.
 */
export class Finding extends Error {
  override readonly name = 'Finding'
  readonly kind: FindingKind
  readonly where: string

  constructor(kind: FindingKind, where: string, message: string) {
    super(message)
    this.kind = kind
    this.where = where
  }
}
