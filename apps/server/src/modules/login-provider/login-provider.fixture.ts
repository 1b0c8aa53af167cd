import type { RequestOf } from '@slipway/contract/endpoint'
import {
  type AuthorizationRequest,
  createAuthorizationCode,
} from '@slipway/contract/login-provider'
import { createSignInClient } from '@slipway/contract/sign-in-clients'
import { and, eq } from 'drizzle-orm'
import type { Env } from '../../env/env.ts'
import { createWorld, type TestUser } from '../../testing/world.ts'
import * as siteClients from '../site-clients/site-clients.service.ts'
import { teamMembers } from '../teams/teams.schema.ts'

export const domain = 'shop.example.com'

type PostOptions = { basic?: [string, string]; type?: string }

type TokenResponse = {
  status: number
  headers: Headers
  body: Record<
    'access_token' | 'refresh_token' | 'id_token' | 'scope' | 'token_type' | 'error',
    string
  > & { active?: boolean }
}

export type Provider = Awaited<ReturnType<typeof createProviderWorld>>

/** The service at its public URL, with a project whose site `owner` and `member` may sign in to. */
export async function createProviderWorld(env: Partial<Env> = {}) {
  // Client libraries use the system clock.
  const world = await createWorld(env, new Date())
  await world.listenAtPublicUrl()
  const owner = await world.user()

  async function newMember(name?: string) {
    const user = await world.user({ name })
    await world.join(user, owner.teamId)
    return user
  }
  const member = await newMember('Team Member')

  /** Another project of the team, with the credentials and redirect URI of its site. */
  async function newSite(options: { domain?: string } = {}) {
    const { id, key } = await world.project({ teamId: owner.teamId, ...options })
    const origin = `http://${key}.localhost:${world.env.SITES_PORT}`
    const secret = await siteClients.clientSecret(world.ctx, id)
    return { id, key, secret, origin, callback: `${origin}/callback` }
  }
  const site = await newSite({ domain })

  async function newClient(
    form: Partial<RequestOf<typeof createSignInClient>['body']> = {},
    projectId = site.id,
  ) {
    const redirectUri = form.redirectUris?.[0] ?? `${site.origin}/own/callback`
    const { client, secret } = await owner.call(createSignInClient, {
      params: { id: projectId },
      body: { name: 'Own client', redirectUris: [redirectUri], ...form },
    })
    return {
      ...client,
      secret: secret ?? '',
      redirectUri,
      /** The parameters of its authorization request. */
      request: { client_id: client.clientId, redirect_uri: redirectUri },
      /** The parameters of its token request. */
      credentials: {
        client_id: client.clientId,
        client_secret: secret ?? '',
        redirect_uri: redirectUri,
      },
    }
  }

  const url = (path: string) => world.env.PUBLIC_URL + path

  /** Calls the token endpoint; `basic` credentials go into the Authorization header. */
  const token = (form: Record<string, string> | string, options: PostOptions = {}) =>
    post('token', form, options)

  async function post(
    endpoint: 'token' | 'introspect' | 'revoke',
    form: Record<string, string> | string,
    options: PostOptions = {},
  ): Promise<TokenResponse> {
    const [id, secret] = options.basic ?? []
    const credentials = Buffer.from(
      `${encodeURIComponent(id ?? '')}:${encodeURIComponent(secret ?? '')}`,
    )
    const response = await fetch(url(`/api/auth/project/${endpoint}`), {
      method: 'POST',
      headers: {
        'content-type': options.type ?? 'application/x-www-form-urlencoded',
        ...(options.basic ? { authorization: `Basic ${credentials.toString('base64')}` } : {}),
      },
      body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    })
    const body = (await response.json()) as TokenResponse['body']
    return { status: response.status, headers: response.headers, body }
  }

  return {
    world,
    owner,
    member,
    site,
    newMember,
    newSite,
    newClient,
    url,
    post,
    token,

    async removeFromTeam({ id }: TestUser) {
      const membership = and(eq(teamMembers.teamId, owner.teamId), eq(teamMembers.userId, id))
      await world.ctx.db.delete(teamMembers).where(membership)
    },

    requestCode: (user: TestUser, parameters: Partial<AuthorizationRequest> = {}) =>
      user.call(createAuthorizationCode, {
        body: {
          client_id: site.key,
          redirect_uri: site.callback,
          response_type: 'code',
          ...parameters,
        },
      }),

    /** Redeems a code with the site's credentials in the form. */
    redeem: (code: string, parameters: Record<string, string> = {}) =>
      token({
        grant_type: 'authorization_code',
        code,
        redirect_uri: site.callback,
        client_id: site.key,
        client_secret: site.secret,
        ...parameters,
      }),

    userInfo: (accessToken: string) =>
      fetch(url('/api/auth/project/userinfo'), {
        headers: { authorization: `Bearer ${accessToken}` },
      }),
  }
}
