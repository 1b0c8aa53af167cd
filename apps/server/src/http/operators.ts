import type { SignedIn } from '../context.ts'
import type { Env } from '../env/env.ts'

/** Operators are the accounts in OPERATOR_EMAILS; both are folded. */
export const isOperator = (
  { OPERATOR_EMAILS }: Pick<Env, 'OPERATOR_EMAILS'>,
  { email }: Pick<SignedIn, 'email'>,
) => OPERATOR_EMAILS.includes(email)
