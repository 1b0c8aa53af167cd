import { DrizzleQueryError } from 'drizzle-orm/errors'
import { DatabaseError } from 'pg'

/** The name of the unique constraint that refused the write; undefined for any other error. */
export function violatedConstraint(error: unknown) {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  // PostgreSQL, appendix A: 23505 is unique_violation.
  return cause instanceof DatabaseError && cause.code === '23505' ? cause.constraint : undefined
}
