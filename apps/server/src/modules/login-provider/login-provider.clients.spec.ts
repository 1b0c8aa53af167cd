import {
  type AuthorizationRequest,
  createAuthorizationCode,
} from '@slipway/contract/login-provider'
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProvider, type Provider } from './login-provider.fixture.ts'

let provider: Provider

beforeAll(async () => {
  provider = await createProvider()
})
afterAll(() => provider.world.close())

describe('a standard client library', () => {
  it('openid-client signs a member in, with PKCE, nonce and the issuer in the answer', async () => {
    const { world, member, site, url } = provider
    const config = await openid.discovery(
      new URL(world.env.PUBLIC_URL),
      site.key,
      undefined,
      openid.ClientSecretBasic(site.secret),
      { execute: [openid.allowInsecureRequests] },
    )
    const verifier = openid.randomPKCECodeVerifier()
    const [nonce, state] = [openid.randomNonce(), openid.randomState()]
    const asked = openid.buildAuthorizationUrl(config, {
      redirect_uri: site.callback,
      scope: 'openid profile email',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      nonce,
      state,
    })
    expect(asked.origin + asked.pathname).toBe(url('/auth/code'))
    // The console's screen reads the query and asks for the code.
    const { state: _, ...query } = Object.fromEntries(asked.searchParams)
    const answer = await member.call(createAuthorizationCode, {
      body: query as AuthorizationRequest,
    })
    const back = new URL(site.callback)
    back.search = new URLSearchParams({ code: answer.token, state, iss: answer.issuer }).toString()

    const tokens = await openid.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
      expectedState: state,
      idTokenExpected: true,
    })
    expect(tokens.claims()).toMatchObject({
      iss: world.env.PUBLIC_URL,
      sub: member.id,
      aud: site.key,
      nonce,
      name: 'Team Member',
      email: member.email,
      email_verified: true,
    })
    const info = await openid.fetchUserInfo(config, tokens.access_token, member.id)
    expect(info).toMatchObject({ sub: member.id, email: member.email })
  })

  it('oidc-client-ts signs a member in, with the secret in the form', async () => {
    const { world, member, site } = provider
    const client = new OidcClient({
      authority: world.env.PUBLIC_URL,
      client_id: site.key,
      client_secret: site.secret,
      client_authentication: 'client_secret_post',
      redirect_uri: site.callback,
      scope: 'openid profile email',
      loadUserInfo: true,
      stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    })
    const asked = new URL((await client.createSigninRequest({})).url)
    const { state, ...query } = Object.fromEntries(asked.searchParams)
    const answer = await member.call(createAuthorizationCode, {
      body: query as AuthorizationRequest,
    })
    const back = new URLSearchParams({ code: answer.token, state: state ?? '', iss: answer.issuer })
    const signedIn = await client.processSigninResponse(`${site.callback}?${back}`)
    expect(signedIn.profile).toMatchObject({ sub: member.id, name: 'Team Member' })
    expect(signedIn.access_token).not.toBe('')
  })
})
