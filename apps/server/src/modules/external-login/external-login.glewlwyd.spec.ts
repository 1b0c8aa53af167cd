import { getProfile } from '@slipway/contract/account'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { externalProviders } from '../../env/values.ts'
import { hasDebianPackage } from '../../testing/debian-package.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { browser, cookieHeader, exchange, newState } from './external-login.fixture.ts'
import { clientId, clientSecret, startGlewlwyd } from './external-login.glewlwyd.fixture.ts'

const hasGlewlwyd = await hasDebianPackage('/usr/bin/glewlwyd', 'glewlwyd sqlite3')
const account = { username: 'ada', name: 'Outside User', email: 'outside@example.com' }

describe.skipIf(!hasGlewlwyd)('an external login by Glewlwyd, a second OpenID provider', () => {
  let world: World
  let glewlwyd: Awaited<ReturnType<typeof startGlewlwyd>>

  beforeAll(async () => {
    glewlwyd = await startGlewlwyd()
    const provider = { id: 'school', name: 'School', clientId, clientSecret }
    const LOGIN_PROVIDERS = externalProviders.parse(
      JSON.stringify([{ ...provider, issuer: glewlwyd.issuer }]),
    )
    // openid-client checks ID tokens by the system clock.
    world = await createWorld({ LOGIN_PROVIDERS }, new Date())
    await world.listenAtPublicUrl()
    await glewlwyd.register(`${world.env.PUBLIC_URL}/api/auth/oauth/callback`, account)
  })
  afterAll(async () => {
    await world.close()
    await glewlwyd.close()
  })

  async function profileOfLogin() {
    const inBrowser = browser()
    const start = `${world.env.PUBLIC_URL}/api/auth/oauth/redirect?provider=school&state=${newState()}`
    const completed = await glewlwyd.signIn(inBrowser, start, account.username)
    expect(completed.url.searchParams.get('error')).toBeNull()
    const { token = null } = await exchange(world, completed.url, cookieHeader(inBrowser))
    return world.client(token)(getProfile)
  }

  it('creates a user with the name and the verified address, and signs the same one in again', async () => {
    const { name, email } = account
    const profile = await profileOfLogin()
    expect(profile).toMatchObject({ name, email, loginKind: 'School' })
    expect((await profileOfLogin()).id).toBe(profile.id)
  })
})
