import { text } from 'node:stream/consumers'
import { Auth, type AuthConfig } from '@auth/core'
import express from 'express'
import openidConnect from 'express-openid-connect'
import session from 'express-session'
import passport from 'passport'
import { type Profile, Strategy, type VerifyCallback } from 'passport-openidconnect'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createMemberBrowser, startClientServer } from './login-provider.clients.fixture.ts'
import { createProviderWorld, type Provider } from './login-provider.fixture.ts'

let provider: Provider

beforeAll(async () => {
  provider = await createProviderWorld()
})
afterAll(() => provider.world.close())

/** A web server with a client whose redirect URI has this path. */
async function startClient(path: string) {
  const server = await startClientServer()
  onTestFinished(() => server.close())
  const client = await provider.newClient({
    redirectUris: [`http://localhost${path}`],
    logoutRedirectUris: ['http://localhost/'],
  })
  return { ...server, ...client }
}

describe('signing in to a web server with the library of its framework', () => {
  it('works with Auth.js and its defaults: PKCE, no state', async () => {
    const { world, member } = provider
    const { origin, handle, clientId, secret } = await startClient('/auth/callback/slipway')
    const config: AuthConfig = {
      providers: [
        {
          id: 'slipway',
          name: 'Slipway',
          type: 'oidc',
          issuer: world.env.PUBLIC_URL,
          clientId,
          clientSecret: secret,
        },
      ],
      secret: 'a secret of this test',
      trustHost: true,
    }
    handle(async (request, response) => {
      const { method = 'GET' } = request
      const answer = await Auth(
        new Request(origin + request.url, {
          method,
          headers: request.headers as Record<string, string>,
          ...(method === 'POST' ? { body: await text(request) } : {}),
        }),
        config,
      )
      response
        .setHeaders(answer.headers)
        .writeHead(answer.status)
        .end(await answer.text())
    })

    const { visit, signIn } = createMemberBrowser(provider)
    const { csrfToken } = JSON.parse((await visit(`${origin}/auth/csrf`)).body)
    await signIn(`${origin}/auth/signin/slipway`, {
      csrfToken,
      callbackUrl: `${origin}/auth/session`,
    })
    const { user } = JSON.parse((await visit(`${origin}/auth/session`)).body)
    expect(user).toMatchObject({ name: 'Team Member', email: member.email })
  })

  it('works with express-openid-connect in its code flow, and ends the session', async () => {
    const { world, member, url } = provider
    const { origin, handle, clientId, secret } = await startClient('/callback')
    const app = express()
    app.use(
      openidConnect.auth({
        issuerBaseURL: world.env.PUBLIC_URL,
        baseURL: origin,
        clientID: clientId,
        clientSecret: secret,
        secret: 'a secret of this test, of 32 characters',
        // The library's default is the implicit flow, which RFC 9700 §2.1.2 advises against.
        authorizationParams: { response_type: 'code' },
        idpLogout: true,
      }),
    )
    app.get('/', (request, response) => void response.json(request.oidc.user))
    handle(app)

    const { visit, signIn } = createMemberBrowser(provider)
    const { body } = await signIn(`${origin}/`)
    expect(JSON.parse(body)).toMatchObject({ sub: member.id, email: member.email })
    const logout = await visit(`${origin}/logout`)
    expect(logout.url.origin + logout.url.pathname).toBe(url('/auth/end-session'))
    expect(logout.url.searchParams.get('post_logout_redirect_uri')).toBe(origin)
    expect(logout.url.searchParams.get('id_token_hint')).not.toBeNull()
  })

  it('works with passport-openidconnect, with the profile of the userinfo endpoint', async () => {
    const { world, member, url } = provider
    const { origin, handle, clientId, secret } = await startClient('/callback')
    const strategy = new Strategy(
      {
        issuer: world.env.PUBLIC_URL,
        authorizationURL: url('/auth/code'),
        tokenURL: url('/api/auth/project/token'),
        userInfoURL: url('/api/auth/project/userinfo'),
        clientID: clientId,
        clientSecret: secret,
        callbackURL: `${origin}/callback`,
        scope: 'profile email',
      },
      (_issuer: string, profile: Profile, done: VerifyCallback) => done(null, profile),
    )
    const authenticate = passport.authenticate(strategy, { session: false })
    const app = express()
    app.use(session({ secret: 'a secret of this test', resave: false, saveUninitialized: false }))
    app.get('/login', authenticate)
    app.get('/callback', authenticate, (request, response) => void response.json(request.user))
    handle(app)

    const { signIn } = createMemberBrowser(provider)
    const { body } = await signIn(`${origin}/login`)
    expect(JSON.parse(body)).toMatchObject({
      id: member.id,
      displayName: 'Team Member',
      emails: [{ value: member.email }],
    })
  })
})
