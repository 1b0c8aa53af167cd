import type { Clock } from './clock.ts'
import type { Db } from './db/connect.ts'
import type { PaymentGateway } from './engines/payments/gateway.ts'
import { createSandboxGateway } from './engines/payments/sandbox/sandbox.gateway.ts'
import type { Env } from './env.ts'

/** The payment gateway of the configuration. */
export function createPaymentGateway(_env: Env, db: Db, clock: Clock): PaymentGateway {
  return createSandboxGateway({ db, clock })
}
