import {
  type AuthorizationRequest,
  createAuthorizationCode,
} from '@slipway/contract/login-provider'
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProviderWorld, type Provider } from './login-provider.fixture.ts'

let provider: Provider

beforeAll(async () => {
  provider = await createProviderWorld()
})
afterAll(() => provider.world.close())

describe('signing in to a site with a standard client library', () => {
  it('works with openid-client, with PKCE, nonce and the issuer in the response', async () => {
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
    const requestUrl = openid.buildAuthorizationUrl(config, {
      redirect_uri: site.callback,
      scope: 'openid profile email',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      nonce,
      state,
    })
    expect(requestUrl.origin + requestUrl.pathname).toBe(url('/auth/code'))
    // The console passes the query on when it requests the code.
    const { state: _, ...query } = Object.fromEntries(requestUrl.searchParams)
    const response = await member.call(createAuthorizationCode, {
      body: query as AuthorizationRequest,
    })
    const callback = new URL(site.callback)
    callback.search = new URLSearchParams({
      code: response.token,
      state,
      iss: response.issuer,
    }).toString()

    const tokens = await openid.authorizationCodeGrant(config, callback, {
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

  it('works with oidc-client-ts, with the secret in the form', async () => {
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
    const requestUrl = new URL((await client.createSigninRequest({})).url)
    const { state, ...query } = Object.fromEntries(requestUrl.searchParams)
    const response = await member.call(createAuthorizationCode, {
      body: query as AuthorizationRequest,
    })
    const callbackQuery = new URLSearchParams({
      code: response.token,
      state: state ?? '',
      iss: response.issuer,
    })
    const signedIn = await client.processSigninResponse(`${site.callback}?${callbackQuery}`)
    expect(signedIn.profile).toMatchObject({ sub: member.id, name: 'Team Member' })
    expect(signedIn.access_token).not.toBe('')
  })
})
