import { DrizzleQueryError } from 'drizzle-orm/errors'
import { DatabaseError } from 'pg'

/** The name of the violated unique constraint; undefined for other errors. */
export function violatedConstraint(error: unknown) {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  // PostgreSQL, appendix A: 23505 is unique_violation.
  return cause instanceof DatabaseError && cause.code === '23505' ? cause.constraint : undefined
}
