import { OAuth2Client } from '@badgateway/oauth2-client'
import * as oauth from 'oauth4webapi'
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts'
import * as openid from 'openid-client'
import { generators, Issuer } from 'openid-client-5'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { respondTo } from './login-provider.clients.fixture.ts'
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
    const { parameters } = await respondTo(provider, requestUrl)
    const callback = new URL(site.callback)
    callback.search = new URLSearchParams(parameters).toString()

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
    const { parameters } = await respondTo(provider, (await client.createSigninRequest({})).url)
    const callbackQuery = new URLSearchParams(parameters)
    const signedIn = await client.processSigninResponse(`${site.callback}?${callbackQuery}`)
    expect(signedIn.profile).toMatchObject({ sub: member.id, name: 'Team Member' })
    expect(signedIn.access_token).not.toBe('')
  })

  it('works with openid-client 5 and its defaults, as next-auth 4 has it: RS256, no state', async () => {
    const { world, member, newClient, userInfo } = provider
    const customerClient = await newClient()
    const issuer = await Issuer.discover(world.env.PUBLIC_URL)
    const client = new issuer.Client({
      client_id: customerClient.clientId,
      client_secret: customerClient.secret,
      redirect_uris: [customerClient.redirectUri],
    })
    const code_verifier = generators.codeVerifier()
    const requestUrl = client.authorizationUrl({
      scope: 'openid profile email offline_access',
      code_challenge: generators.codeChallenge(code_verifier),
      code_challenge_method: 'S256',
    })
    const { parameters } = await respondTo(provider, requestUrl)
    const tokens = await client.callback(customerClient.redirectUri, parameters, { code_verifier })
    expect(tokens.claims()).toMatchObject({ sub: member.id, aud: customerClient.clientId })
    expect(await client.userinfo(tokens)).toMatchObject({ email: member.email })

    const refreshed = await client.refresh(tokens)
    expect(refreshed.claims().sub).toBe(member.id)
    expect(await client.introspect(refreshed.access_token ?? '')).toMatchObject({ active: true })
    await client.revoke(refreshed.refresh_token ?? '')
    expect((await userInfo(refreshed.access_token ?? '')).status).toBe(401)
    expect(client.endSessionUrl({ id_token_hint: tokens })).toContain('/auth/end-session?')
  })

  it('works with oauth4webapi, which Auth.js uses, for a public client with PKCE and no state', async () => {
    const { world, member, newClient } = provider
    const { clientId, redirectUri } = await newClient({
      isPublic: true,
      redirectUris: ['http://localhost/callback'],
    })
    const insecure = { [oauth.allowInsecureRequests]: true }
    const issuer = new URL(world.env.PUBLIC_URL)
    for (const algorithm of ['oidc', 'oauth2'] as const) {
      const server = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { algorithm, ...insecure }),
      )
      const client = { client_id: clientId }
      const verifier = oauth.generateRandomCodeVerifier()
      // Any port: a program listens on a free one.
      const callback = redirectUri.replace('localhost', 'localhost:5173')
      const requestUrl = new URL(server.authorization_endpoint ?? '')
      requestUrl.search = String(
        new URLSearchParams({
          client_id: clientId,
          redirect_uri: callback,
          response_type: 'code',
          scope: 'openid offline_access',
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }),
      )
      const response = await respondTo(provider, requestUrl)
      const parameters = oauth.validateAuthResponse(
        server,
        client,
        new URLSearchParams(response.parameters),
        oauth.expectNoState,
      )
      const granted = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        callback,
        verifier,
        insecure,
      )
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, granted, {
        requireIdToken: true,
      })
      expect(oauth.getValidatedIdTokenClaims(tokens)?.sub).toBe(member.id)
      const refreshed = await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        tokens.refresh_token ?? '',
        insecure,
      )
      const next = await oauth.processRefreshTokenResponse(server, client, refreshed)
      expect(next.refresh_token).not.toBe(tokens.refresh_token)
    }
  })

  it('works with @badgateway/oauth2-client, by RFC 8414: refresh, introspection, revocation', async () => {
    const { world, member, newClient, userInfo } = provider
    const { clientId, secret, redirectUri } = await newClient()
    const client = new OAuth2Client({
      server: world.env.PUBLIC_URL,
      discoveryEndpoint: '/.well-known/oauth-authorization-server',
      clientId,
      clientSecret: secret,
    })
    const request = { redirectUri, state: 'a state', codeVerifier: 'v'.repeat(48) }
    const requestUrl = await client.authorizationCode.getAuthorizeUri({
      ...request,
      scope: ['openid', 'email', 'offline_access'],
    })
    const { parameters } = await respondTo(provider, requestUrl)
    const callback = `${redirectUri}?${new URLSearchParams(parameters)}`
    const token = await client.authorizationCode.getTokenFromCodeRedirect(callback, request)
    const next = await client.refreshToken(token)
    expect(await (await userInfo(next.accessToken)).json()).toMatchObject({ email: member.email })
    expect(await client.introspect(next)).toMatchObject({ active: true })
    await client.revoke(next)
    expect((await userInfo(next.accessToken)).status).toBe(401)
  })
})
