import { type Env, readEnv } from '../env/env.ts'
import { SettingError } from '../env/setting-error.ts'
import { operator } from './demo.people.ts'

/** What leads out into the world: an example must mail nobody, charge nobody and fill no real database. */
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

type Source = Record<string, string | undefined>

/**
 * The environment of the demo, made from the one it is started in: a data folder of its own beside the
 * given one, and nothing that leads out of this machine. Throws a `SettingError` when others could reach
 * it, since everybody knows its passwords, and when a variable is wrong.
 */
export function demoEnvironment(given: Source): { source: Source; env: Env } {
  const { DATA_DIR } = readEnv({ DATA_DIR: given.DATA_DIR })
  const source: Source = {
    ...given,
    ...Object.fromEntries(outside.map((name) => [name, undefined])),
    DATA_DIR: `${DATA_DIR.replace(/[\\/]+$/, '')}-demo`,
    // Whoever else is support staff stays so.
    OPERATOR_EMAILS: [given.OPERATOR_EMAILS?.trim(), operator.email].filter(Boolean).join(','),
  }
  // These two only keep a service that others reach from starting without them.
  const env = readEnv({ ...source, SMTP_URL: 'smtp://localhost', PAYMENT_GATEWAY: 'sandbox' })
  if (!env.loopback)
    throw new SettingError(
      `HOST and PUBLIC_URL must be of this machine alone, for everybody knows the passwords of the demo, but are ${env.HOST} and ${env.PUBLIC_URL}`,
    )
  return { source, env: readEnv(source) }
}
