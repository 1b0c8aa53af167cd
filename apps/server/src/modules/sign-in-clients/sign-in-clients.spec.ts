import { minute } from '@slipway/contract/limits'
import { deleteProject } from '@slipway/contract/projects'
import {
  createClientSecret,
  createSignInClient,
  deleteClientSecret,
  deleteSignInClient,
  listSignInClients,
  updateSignInClient,
} from '@slipway/contract/sign-in-clients'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { domains } from '../domains/domains.schema.ts'
import {
  createProviderWorld,
  domain,
  type Provider,
} from '../login-provider/login-provider.fixture.ts'
import { signInClientSecrets } from './sign-in-clients.schema.ts'

let provider: Provider

beforeAll(async () => {
  provider = await createProviderWorld()
})
afterAll(() => provider.world.close())

const callback = 'http://localhost/callback'

/** Signs a member in to a client with this secret; returns the status of the token response. */
async function signIn(client: Awaited<ReturnType<Provider['newClient']>>, secret = client.secret) {
  const { member, requestCode, redeem } = provider
  const { token: code } = await requestCode(member, client.request)
  return (await redeem(code, { ...client.credentials, client_secret: secret })).status
}

const listed = async (id: string) => {
  const { owner, site } = provider
  const { clients } = await owner.call(listSignInClients, { params: { id: site.id } })
  return clients.find((client) => client.id === id)
}

describe(title(createSignInClient), () => {
  it('returns the secret once, and stores its hash', async () => {
    const { world, newClient } = provider
    const client = await newClient({ name: 'Intranet' })
    expect(client.secret).toMatch(/^slipway_cs_[\w-]{43}$/)
    expect(await signIn(client)).toBe(200)
    const shown = await listed(client.id)
    expect(shown).toMatchObject({ name: 'Intranet', algorithm: 'RS256', isPublic: false })
    expect(shown?.secrets).toMatchObject([{ hint: client.secret.slice(-4) }])
    const rows = await world.ctx.db.select().from(signInClientSecrets)
    for (const text of [JSON.stringify(shown), JSON.stringify(rows), world.logged.join('')])
      expect(text).not.toContain(client.secret)
  })

  it('creates a public client without a secret, which PKCE alone protects', async () => {
    const { newClient } = provider
    const client = await newClient({ isPublic: true })
    expect([client.secret, client.secrets]).toEqual(['', []])
    const error = await errorCodeOf(
      provider.owner.call(createClientSecret, {
        params: { id: provider.site.id, clientId: client.id },
      }),
    )
    expect(error).toBe('item_not_found')
  })

  it('accepts only exact addresses of proven domains and of localhost', async () => {
    const { world, owner, site } = provider
    const create = (form: { redirectUris: string[]; logoutRedirectUris?: string[] }) =>
      owner.call(createSignInClient, { params: { id: site.id }, body: { name: 'Client', ...form } })
    const good = [`https://${domain}/callback`, `${site.origin}/callback`, callback, callback]
    const { client } = await create({ redirectUris: good, logoutRedirectUris: [callback] })
    expect(client.redirectUris).toEqual(good.slice(0, 3))
    for (const uri of [
      'https://evil.example.com/callback',
      `https://sub.${domain}/callback`,
      `https://${domain}/callback#x`,
      `https://${domain}/a/../b`,
      `https://*.${domain}/`,
      'myapp://callback',
    ]) {
      const { fields } = await errorOf(create({ redirectUris: [callback, uri] }))
      expect(Object.keys(fields)).toEqual(['redirectUris'])
      const logout = await errorOf(create({ redirectUris: [callback], logoutRedirectUris: [uri] }))
      expect(Object.keys(logout.fields)).toEqual(['logoutRedirectUris'])
    }
    expect((await errorOf(create({ redirectUris: [] }))).code).toBe('validation_error')

    // A pending name does not count.
    await world.ctx.db.update(domains).set({ state: 'pending' }).where(eq(domains.host, domain))
    expect((await errorOf(create({ redirectUris: good }))).code).toBe('validation_error')
    const { member, requestCode } = provider
    const request = { client_id: client.clientId, redirect_uri: `https://${domain}/callback` }
    expect((await errorOf(requestCode(member, request))).context).toBe('redirect_uri')
    await world.ctx.db.update(domains).set({ state: 'active' }).where(eq(domains.host, domain))
    expect((await requestCode(member, request)).token).not.toBe('')
  })

  it('has a limit for a project, which concurrent requests do not exceed', async () => {
    const { owner, newSite } = provider
    const { id } = await newSite()
    const results = await Promise.allSettled(
      Array.from({ length: 22 }, () =>
        owner.call(createSignInClient, {
          params: { id },
          body: { name: 'Client', redirectUris: [callback] },
        }),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    const { clients } = await owner.call(listSignInClients, { params: { id } })
    expect(clients).toHaveLength(20)
  })

  it('is rejected for a deleted project', async () => {
    const { owner, newSite } = provider
    const { id } = await newSite()
    await owner.call(deleteProject, { params: { id } })
    const body = { name: 'Client', redirectUris: [callback] }
    expect(await errorCodeOf(owner.call(createSignInClient, { params: { id }, body }))).toBe(
      'cannot_update_deleted_project',
    )
  })
})

describe(title(createClientSecret), () => {
  it('adds a second secret beside the first, and no third', async () => {
    const { world, owner, site, newClient } = provider
    const client = await newClient()
    const params = { id: site.id, clientId: client.id }
    world.clock.forward(minute)
    const { secret, client: withTwo } = await owner.call(createClientSecret, { params })
    expect(withTwo.secrets).toHaveLength(2)
    expect([await signIn(client), await signIn(client, secret)]).toEqual([200, 200])
    expect(await errorCodeOf(owner.call(createClientSecret, { params }))).toBe(
      'client_secret_limit_reached',
    )
  })
})

describe(title(deleteClientSecret), () => {
  it('revokes one of two secrets, so that they are replaced without an outage', async () => {
    const { owner, site, newClient } = provider
    const client = await newClient()
    const params = { id: site.id, clientId: client.id }
    const [first] = client.secrets
    const { secret } = await owner.call(createClientSecret, { params })
    const remove = () =>
      owner.call(deleteClientSecret, { params: { ...params, secretId: first?.id ?? '' } })
    expect((await remove()).secrets).toMatchObject([{ hint: secret.slice(-4) }])
    expect([await signIn(client), await signIn(client, secret)]).toEqual([401, 200])
    expect(await errorCodeOf(remove())).toBe('item_not_found')
  })
})

describe(title(listSignInClients), () => {
  it('lists the clients of the project alone, the newest first', async () => {
    const { world, owner, newSite } = provider
    const [one, other] = [await newSite(), await newSite()]
    const create = (id: typeof one.id, name: string) =>
      owner.call(createSignInClient, { params: { id }, body: { name, redirectUris: [callback] } })
    await create(one.id, 'Shop')
    world.clock.forward(minute)
    await create(one.id, 'Intranet')
    await create(other.id, 'Blog')
    const { clients } = await owner.call(listSignInClients, { params: { id: one.id } })
    expect(clients.map(({ name }) => name)).toEqual(['Intranet', 'Shop'])
  })

  it('shows the last use of each secret, to the minute', async () => {
    const { world, newClient } = provider
    const client = await newClient()
    expect((await listed(client.id))?.secrets[0]?.lastUsedAt).toBeNull()
    expect(await signIn(client, 'slipway_cs_wrong')).toBe(401)
    expect((await listed(client.id))?.secrets[0]?.lastUsedAt).toBeNull()
    expect(await signIn(client)).toBe(200)
    const thisMinute = Math.floor(world.clock.now().getTime() / minute) * minute
    expect((await listed(client.id))?.secrets[0]?.lastUsedAt).toBe(
      new Date(thisMinute).toISOString(),
    )
  })
})

describe(title(updateSignInClient), () => {
  it('changes the addresses and the algorithm at once', async () => {
    const { owner, member, site, newClient, requestCode } = provider
    const client = await newClient()
    const redirectUri = `${site.origin}/other`
    const changed = await owner.call(updateSignInClient, {
      params: { id: site.id, clientId: client.id },
      body: { name: 'Renamed', algorithm: 'ES256', redirectUris: [redirectUri] },
    })
    expect(changed).toMatchObject({ name: 'Renamed', algorithm: 'ES256' })
    expect((await errorOf(requestCode(member, client.request))).context).toBe('redirect_uri')
    const request = { ...client.request, redirect_uri: redirectUri }
    expect((await requestCode(member, request)).token).not.toBe('')
  })
})

describe(title(deleteSignInClient), () => {
  it('deletes the client, and finds no client of another project', async () => {
    const { owner, site, newSite, newClient } = provider
    const client = await newClient()
    const otherSite = await newSite()
    const params = { id: otherSite.id, clientId: client.id }
    expect(await errorCodeOf(owner.call(deleteSignInClient, { params }))).toBe('item_not_found')
    expect(await signIn(client)).toBe(200)
    await owner.call(deleteSignInClient, { params: { id: site.id, clientId: client.id } })
    expect(await listed(client.id)).toBeUndefined()
    expect(await errorCodeOf(provider.requestCode(provider.member, client.request))).toBe(
      'project_not_found',
    )
  })
})
