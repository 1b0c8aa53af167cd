import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import formbody from '@fastify/formbody'
import { type Locale, m } from '@slipway/phrases'
import type { FastifyInstance } from 'fastify'
import type OidcProvider from 'oidc-provider'
import type { Context } from '../../context.ts'
import { requestLocale } from '../../http/locale.ts'
import { onOwnHostOnly } from '../../http/own-host.ts'
import { problem } from '../../problem.ts'
import { type Provider, standInPath } from './external-login.providers.ts'
import { pickPage, pickStyle } from './external-login.stand-in-page.ts'

type Person = { name: string; email: string; verified: boolean }

/** A subject says nothing about the person, and is the same whenever they are picked. */
const subjectOf = (email: string) =>
  createHash('sha256').update(`stand-in ${email.toLowerCase()}`).digest('hex').slice(0, 24)

/**
 * The provider itself, certified code: the true protocol, whose people are made up. Loaded when the
 * first browser comes, because most never do.
 */
async function createProvider(
  { issuer, clientId, clientSecret }: Provider,
  callback: string,
  people: Map<string, Person>,
): Promise<OidcProvider> {
  const { default: Oidc, interactionPolicy } = await import('oidc-provider')
  const policy = interactionPolicy.base()
  const login = policy.get('login')
  const consent = policy.get('consent')
  if (!login || !consent) throw new Error('oidc-provider has other prompts than expected')
  // Every visit picks a person anew, as with `prompt=select_account` at Google.
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  consent.checks.clear()

  return new Oidc(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [callback],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    cookies: { keys: [randomBytes(32).toString('hex')] },
    jwks: { keys: [await newSigningKey()] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Google puts the claims into the ID token.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { policy, url: (_ctx, { uid }) => `${standInPath}/pick/${uid}` },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 3600,
      Session: 3600,
    },
    async loadExistingGrant({ oidc }) {
      const { client, session, provider } = oidc
      if (!client || !session?.accountId) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    findAccount(_ctx, accountId) {
      const person = people.get(accountId)
      return (
        person && {
          accountId,
          claims: () => ({
            sub: accountId,
            name: person.name,
            email: person.email,
            email_verified: person.verified,
          }),
        }
      )
    },
  })
}

/**
 * The library prints its advice about itself, such as that it keeps nothing over a restart. None of it
 * matters to a stand-in; it goes into the log, where every line has one shape.
 */
async function intoLog<Result>(log: Context['log'], work: () => Promise<Result>) {
  const { info, warn } = console
  const print = (text: unknown) => log.debug({ by: 'oidc-provider' }, String(text))
  Object.assign(console, { info: print, warn: print })
  return work().finally(() => Object.assign(console, { info, warn }))
}

async function newSigningKey() {
  const { exportJWK, generateKeyPair } = await import('jose')
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }
}

function personOf(form: unknown): Person | undefined {
  const { name, email, verified } = form as Record<string, unknown>
  if (typeof name !== 'string' || typeof email !== 'string') return undefined
  const person = { name: name.trim(), email: email.trim(), verified: verified === 'yes' }
  return person.name !== '' && /^[^@\s]+@[^@\s]+$/.test(person.email) ? person : undefined
}

/**
 * Lets a visit know nothing of those before it, nor of one in another tab: the provider would not let a
 * browser be two people.
 */
function forgetSession({ headers }: IncomingMessage) {
  const cookies = headers.cookie?.split(/; */).filter((cookie) => !cookie.startsWith('_session'))
  headers.cookie = cookies?.join('; ')
}

/** Plays Google on a development machine: a page to pick a person, and the true protocol behind it. */
export function mountStandIn(app: FastifyInstance, ctx: Context, provider: Provider) {
  const people = new Map<string, Person>()
  let started: Promise<OidcProvider> | undefined
  const start = () => {
    started ??= intoLog(ctx.log, () =>
      createProvider(provider, `${ctx.env.PUBLIC_URL}/api/auth/oauth/callback`, people),
    )
    return started
  }
  const schema = { hide: true }
  const page = (locale: Locale, uid: string, wrong: boolean) =>
    pickPage(locale, standInPath, uid, wrong)

  app.register(async (pick) => {
    pick.addHook('onRequest', onOwnHostOnly)
    await pick.register(formbody)

    pick.get(`${standInPath}/style.css`, { schema }, async (_request, reply) =>
      reply.type('text/css; charset=utf-8').send(pickStyle),
    )

    pick.get<{ Params: { uid: string } }>(
      `${standInPath}/pick/:uid`,
      { schema },
      async (request, reply) => {
        const oidc = await start()
        const details = await oidc.interactionDetails(request.raw, reply.raw).catch(() => undefined)
        if (!details)
          return reply.redirect(`${ctx.env.PUBLIC_URL}/auth/login?error=external_login_expired`)
        return reply
          .header('Cache-Control', 'no-store')
          .type('text/html; charset=utf-8')
          .send(page(requestLocale(request), details.uid, false))
      },
    )

    pick.post<{ Params: { uid: string }; Body: Record<string, unknown> }>(
      `${standInPath}/pick/:uid`,
      { schema },
      async (request, reply) => {
        const oidc = await start()
        const cancelled = request.body.cancel !== undefined
        const person = cancelled ? undefined : personOf(request.body)
        if (!cancelled && !person)
          return reply
            .code(422)
            .type('text/html; charset=utf-8')
            .send(page(requestLocale(request), request.params.uid, true))
        const subject = person && subjectOf(person.email)
        if (person && subject) people.set(subject, person)
        const result = subject
          ? { login: { accountId: subject, remember: false }, select_account: {} }
          : {
              error: 'access_denied',
              error_description: m.stand_in_cancelled({}, { locale: 'en' }),
            }
        const next = await oidc
          .interactionResult(request.raw, reply.raw, result)
          .catch(() => `${ctx.env.PUBLIC_URL}/auth/login?error=external_login_expired`)
        return reply.redirect(next, 303)
      },
    )
  })

  app.register(async (protocol) => {
    protocol.addHook('onRequest', onOwnHostOnly)
    // The provider reads bodies and writes answers itself.
    protocol.removeAllContentTypeParsers()
    protocol.addContentTypeParser('*', (_request, _payload, done) => done(null))
    protocol.all(`${standInPath}/*`, { schema }, async (request, reply) => {
      const handle = (await start()).callback()
      const raw: IncomingMessage & { originalUrl?: string } = request.raw
      if (!raw.url?.startsWith(standInPath)) throw problem('route_not_found')
      forgetSession(raw)
      raw.originalUrl = raw.url
      raw.url = raw.url.slice(standInPath.length)
      reply.hijack()
      await handle(raw, reply.raw)
    })
  })
}
