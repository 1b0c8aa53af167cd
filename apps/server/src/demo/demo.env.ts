import { type Env, readEnv } from '../env/env.ts'
import { SettingError } from '../env/setting-error.ts'
import { operator } from './demo.people.ts'

/**
 * Variables of external services: the demo sends no email, charges no card and uses no other
 * database.
 */
const outside = [
  'DATABASE_URL',
  'SMTP_URL',
  'GOOGLE_CLIENT_ID',
  'GOOGLE_CLIENT_SECRET',
  'PAYMENT_GATEWAY',
  'IYZICO_API_KEY',
  'IYZICO_SECRET_KEY',
  'ROLE',
]

const seller = {
  SELLER_NAME: 'Slipway (example)',
  SELLER_ADDRESS: 'Example Street 1; Example City',
  SELLER_TAX_NUMBER: '1234567890',
}

type Source = Record<string, string | undefined>

/**
 * The environment of the demo: its own data folder beside the configured one, and no external
 * services. Throws a `SettingError` when a variable is wrong or others could reach the demo, whose
 * passwords are public.
 */
export function demoEnvironment(environment: Source): { source: Source; env: Env } {
  const { DATA_DIR } = readEnv({ DATA_DIR: environment.DATA_DIR })
  const source: Source = {
    ...seller,
    ...environment,
    ...Object.fromEntries(outside.map((name) => [name, undefined])),
    DATA_DIR: `${DATA_DIR.replace(/[\\/]+$/, '')}-demo`,
    // Configured operators remain.
    OPERATOR_EMAILS: [environment.OPERATOR_EMAILS?.trim(), operator.email]
      .filter(Boolean)
      .join(','),
  }
  // Placeholders for the two variables that a public service requires.
  const env = readEnv({ ...source, SMTP_URL: 'smtp://localhost', PAYMENT_GATEWAY: 'sandbox' })
  if (!env.standIns)
    throw new SettingError(
      `HOST and PUBLIC_URL must be of this machine alone, without TRUST_PROXY and NODE_ENV=production, because the passwords of the demo are public, but are ${env.HOST} and ${env.PUBLIC_URL}`,
    )
  return { source, env: readEnv(source) }
}
