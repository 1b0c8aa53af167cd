import {
  type AuthorizationRequest,
  createAuthorizationCode,
} from '@slipway/contract/login-provider'
import type { ProjectId } from '@slipway/contract/projects'
import { and, eq } from 'drizzle-orm'
import type { Env } from '../../env/env.ts'
import { createWorld, type TestUser } from '../../testing/world.ts'
import * as siteClients from '../site-clients/site-clients.service.ts'
import { teamMembers } from '../teams/teams.schema.ts'

export const domain = 'shop.example.com'

type TokenAnswer = {
  status: number
  headers: Headers
  body: Record<'access_token' | 'id_token' | 'scope' | 'token_type' | 'error', string>
}

export type Provider = Awaited<ReturnType<typeof createProvider>>

/** The service at its public address, with a project whose site signs `owner` and `member` in. */
export async function createProvider(env: Partial<Env> = {}) {
  // Client libraries look at the machine's clock.
  const world = await createWorld(env, new Date())
  await world.listenAtPublicUrl()
  const owner = await world.user()

  /** Somebody in the team of the project. */
  async function newMember(name?: string) {
    const person = await world.user({ name })
    await world.join(person, owner.teamId)
    return person
  }
  const member = await newMember('Team Member')

  /** One more project of the team, as a client: its key, secret and an address of its site. */
  async function newSite(more: { domain?: string } = {}) {
    const { id, key } = await world.project({ teamId: owner.teamId, ...more })
    const origin = `http://${key}.localhost:${world.env.SITES_PORT}`
    const secret = await siteClients.clientSecret(world.ctx, id)
    return { id, key, secret, origin, callback: `${origin}/callback` }
  }
  const site: { id: ProjectId; key: string; secret: string; origin: string; callback: string } =
    await newSite({ domain })

  const url = (path: string) => world.env.PUBLIC_URL + path

  /** A call of the token endpoint, with the client's credentials in the header if they are given. */
  async function token(
    form: Record<string, string> | string,
    options: { basic?: [string, string]; type?: string } = {},
  ): Promise<TokenAnswer> {
    const [id, secret] = options.basic ?? []
    const credentials = Buffer.from(
      `${encodeURIComponent(id ?? '')}:${encodeURIComponent(secret ?? '')}`,
    )
    const answer = await fetch(url('/api/auth/project/token'), {
      method: 'POST',
      headers: {
        'content-type': options.type ?? 'application/x-www-form-urlencoded',
        ...(options.basic ? { authorization: `Basic ${credentials.toString('base64')}` } : {}),
      },
      body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    })
    const body = (await answer.json()) as TokenAnswer['body']
    return { status: answer.status, headers: answer.headers, body }
  }

  return {
    world,
    owner,
    member,
    site,
    newMember,
    newSite,
    url,
    token,

    /** Takes somebody out of the team again. */
    async leave({ id }: TestUser) {
      const membership = and(eq(teamMembers.teamId, owner.teamId), eq(teamMembers.userId, id))
      await world.ctx.db.delete(teamMembers).where(membership)
    },

    /** A code for the site, asked for as the console's screen does. */
    askCode: (person: TestUser, more: Partial<AuthorizationRequest> = {}) =>
      person.call(createAuthorizationCode, {
        body: {
          client_id: site.key,
          redirect_uri: site.callback,
          response_type: 'code',
          ...more,
        },
      }),

    /** Redeems a code with the site's credentials in the form. */
    redeem: (code: string, more: Record<string, string> = {}) =>
      token({
        grant_type: 'authorization_code',
        code,
        redirect_uri: site.callback,
        client_id: site.key,
        client_secret: site.secret,
        ...more,
      }),

    userInfo: (accessToken: string) =>
      fetch(url('/api/auth/project/userinfo'), {
        headers: { authorization: `Bearer ${accessToken}` },
      }),
  }
}
