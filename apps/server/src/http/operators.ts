import type { SignedIn } from '../context.ts'
import type { Env } from '../env/env.ts'

/** True for an account whose address is in OPERATOR_EMAILS. Both are in lower case. */
export const isOperator = (
  { OPERATOR_EMAILS }: Pick<Env, 'OPERATOR_EMAILS'>,
  { email }: Pick<SignedIn, 'email'>,
) => OPERATOR_EMAILS.includes(email)
