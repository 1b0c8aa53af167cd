import type { Clock } from './clock.ts'
import type { Db } from './db/connect.ts'
import type { PaymentGateway } from './engines/payments/gateway.ts'
import { createSandboxGateway } from './engines/payments/sandbox/sandbox.gateway.ts'
import type { Env } from './env/env.ts'

export async function createPaymentGateway(
  env: Env,
  db: Db,
  clock: Clock,
): Promise<PaymentGateway> {
  if (env.PAYMENT_GATEWAY === 'sandbox') return createSandboxGateway({ db, clock })
  // Loaded on demand: the package is large.
  const { createIyzicoGateway } = await import('./engines/payments/iyzico/iyzico.gateway.ts')
  const { IYZICO_URL, IYZICO_API_KEY = '', IYZICO_SECRET_KEY = '' } = env
  return createIyzicoGateway({
    uri: IYZICO_URL,
    apiKey: IYZICO_API_KEY,
    secretKey: IYZICO_SECRET_KEY,
  })
}
