import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import formbody from '@fastify/formbody'
import { lowercaseEmail } from '@slipway/contract/email'
import { type Locale, m } from '@slipway/phrases'
import type { FastifyInstance } from 'fastify'
import type OidcProvider from 'oidc-provider'
import type { Context } from '../../context.ts'
import { requestLocale } from '../../http/locale.ts'
import { requireLoopbackHost } from '../../http/own-host.ts'
import { problem } from '../../problem.ts'
import { type Provider, standInPath } from './external-login.providers.ts'
import { pickPage, pickStyle } from './external-login.stand-in-page.ts'

type Identity = { name: string; email: string; verified: boolean }

/** The subject of an identity: opaque, and the same for each login. */
const subjectOf = (email: string) =>
  createHash('sha256')
    .update(`stand-in ${lowercaseEmail(email)}`)
    .digest('hex')
    .slice(0, 24)

/** The certified oidc-provider with made-up identities. Loaded at the first request. */
async function createProvider(
  { issuer, clientId, clientSecret }: Provider,
  callback: string,
  identities: Map<string, Identity>,
): Promise<OidcProvider> {
  const { default: Oidc, interactionPolicy } = await import('oidc-provider')
  const policy = interactionPolicy.base()
  const login = policy.get('login')
  const consent = policy.get('consent')
  if (!login || !consent) throw new Error('oidc-provider has no login or consent prompt')
  // Google shows the account chooser for `prompt=select_account`.
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
    // Put the claims into the ID token, as Google does.
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
      const identity = identities.get(accountId)
      return (
        identity && {
          accountId,
          claims: () => ({
            sub: accountId,
            name: identity.name,
            email: identity.email,
            email_verified: identity.verified,
          }),
        }
      )
    },
  })
}

/** Redirects the warnings that oidc-provider prints while it loads into the log. */
async function redirectConsole<Result>(log: Context['log'], work: () => Promise<Result>) {
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

function parseIdentity(form: unknown): Identity | undefined {
  const { name, email, verified } = form as Record<string, unknown>
  if (typeof name !== 'string' || typeof email !== 'string') return undefined
  const identity = { name: name.trim(), email: email.trim(), verified: verified === 'yes' }
  return identity.name !== '' && /^[^@\s]+@[^@\s]+$/.test(identity.email) ? identity : undefined
}

/**
 * Drops the provider's session cookies from the request: with them a browser could not sign in as
 * two users, one after the other or in two tabs.
 */
function dropSessionCookies({ headers }: IncomingMessage) {
  const cookies = headers.cookie?.split(/; */).filter((cookie) => !cookie.startsWith('_session'))
  headers.cookie = cookies?.join('; ')
}

/** Mounts the development stand-in for Google: a page to pick a user, and the OpenID protocol. */
export function mountStandIn(app: FastifyInstance, ctx: Context, provider: Provider) {
  const identities = new Map<string, Identity>()
  let started: Promise<OidcProvider> | undefined
  const start = () => {
    started ??= redirectConsole(ctx.log, () =>
      createProvider(provider, `${ctx.env.PUBLIC_URL}/api/auth/oauth/callback`, identities),
    )
    return started
  }
  const page = (locale: Locale, uid: string, isInvalid: boolean) =>
    pickPage(locale, standInPath, uid, isInvalid)

  app.register(async (pick) => {
    pick.addHook('onRequest', requireLoopbackHost)
    await pick.register(formbody)

    pick.get(`${standInPath}/style.css`, async (_request, reply) =>
      reply.type('text/css; charset=utf-8').send(pickStyle),
    )

    pick.get<{ Params: { uid: string } }>(`${standInPath}/pick/:uid`, async (request, reply) => {
      const oidc = await start()
      const details = await oidc.interactionDetails(request.raw, reply.raw).catch(() => undefined)
      if (!details)
        return reply.redirect(`${ctx.env.PUBLIC_URL}/auth/login?error=external_login_expired`)
      return reply
        .header('Cache-Control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(page(requestLocale(request), details.uid, false))
    })

    pick.post<{ Params: { uid: string }; Body: Record<string, unknown> }>(
      `${standInPath}/pick/:uid`,
      async (request, reply) => {
        const oidc = await start()
        const cancelled = request.body.cancel !== undefined
        const identity = cancelled ? undefined : parseIdentity(request.body)
        if (!cancelled && !identity)
          return reply
            .code(422)
            .type('text/html; charset=utf-8')
            .send(page(requestLocale(request), request.params.uid, true))
        const subject = identity && subjectOf(identity.email)
        if (identity && subject) identities.set(subject, identity)
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
    protocol.addHook('onRequest', requireLoopbackHost)
    // The provider reads request bodies and writes responses itself.
    protocol.removeAllContentTypeParsers()
    protocol.addContentTypeParser('*', (_request, _payload, done) => done(null))
    protocol.all(`${standInPath}/*`, async (request, reply) => {
      const handle = (await start()).callback()
      const raw: IncomingMessage & { originalUrl?: string } = request.raw
      if (!raw.url?.startsWith(standInPath)) throw problem('route_not_found')
      dropSessionCookies(raw)
      raw.originalUrl = raw.url
      raw.url = raw.url.slice(standInPath.length)
      reply.hijack()
      await handle(raw, reply.raw)
    })
  })
}
