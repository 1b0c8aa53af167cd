import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { Db } from '../../../apps/server/src/db/connect.ts'
import { insertCode } from '../../../apps/server/src/modules/external-login/external-login.store.ts'
import { externalLoginState } from '../requests/valid-values.ts'

const browserId = 'the browser of all external logins'
const hash = (text: string) => createHash('sha256').update(text).digest()

/** The cookie of the browser that started the logins, as the server set it. */
export const externalLoginCookie = `slipway_external_login_${externalLoginState.slice(0, 8)}=${encodeURIComponent(browserId)}`

/** Inserts a completed external login and returns its code. */
export async function seedExternalCode(db: Db, userId: UserId): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  const now = new Date()
  await insertCode(db, {
    codeHash: hash(code),
    userId,
    consoleState: externalLoginState,
    browserHash: hash(browserId),
    createdAt: now,
    expiresAt: new Date(now.getTime() + serviceLimits.externalLoginCodeLifetime),
  })
  return code
}
