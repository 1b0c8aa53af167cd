import type { Endpoint } from '@slipway/contract/endpoint'
import { personalTokenLifetimes } from '@slipway/contract/personal-tokens'
import fc from 'fast-check'
import { tokenPage } from '../../../apps/server/src/testing/oauth-pages.ts'
import { MarkedText, type Ownership, Reference, type ResourceKind, type Value } from './value.ts'

/** A schema of `z.toJSONSchema`. */
export type JsonSchema = {
  type?: string
  format?: string
  enum?: Value[]
  const?: Value
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  minimum?: number
  maximum?: number
}

/** A resource, mostly the caller's own. */
function reference(
  kind: ResourceKind,
  others: readonly Ownership[] = ['foreign', 'deleted', 'unknown'],
) {
  const ownership = fc.oneof(
    { weight: 6, arbitrary: fc.constant<Ownership>('own') },
    ...others.map((each) => ({ weight: 1, arbitrary: fc.constant<Ownership>(each) })),
  )
  return fc.tuple(ownership, fc.nat(1_000)).map(([each, pick]) => new Reference(kind, each, pick))
}

const marked = fc
  .string({ unit: 'grapheme-ascii', maxLength: 30 })
  .map((rest) => new MarkedText(rest))
/** Billing texts reject digits that could be a card number. */
const markedWord = fc
  .constantFrom('Street', 'Ş. Çağlar', 'O’Brien', '-')
  .map((rest) => new MarkedText(rest))
const price = fc.constantFrom('0.0125', '0', '1', '999999999.99999', '0.00001')
const time = fc
  .constantFrom(-86_400_000, 0, 60_000, 86_400_000, 400 * 86_400_000)
  .map((ahead) => new Date(Date.now() + ahead).toISOString())

/** The kind of resource that the `:id` of a path names. */
function resourceOf({ path }: Endpoint): ResourceKind {
  if (path.includes('/ticket/')) return 'ticket'
  if (path.includes('/invoice/')) return 'invoice'
  if (path.includes('/payment-method/')) return 'paymentMethod'
  if (path.includes('/payment/')) return 'payment'
  if (path.includes('/team/')) return 'team'
  if (path.includes('/email/')) return 'mail'
  if (path.includes('/domain/')) return 'domainProject'
  if (path.includes('/client/')) return 'clientProject'
  if (path.includes('/release/update/')) return 'versionedProject'
  if (path.includes('/release/')) return 'releasedProject'
  if (path.includes('/personal-token/')) return 'personalToken'
  if (path.includes('/session/')) return 'session'
  return 'project'
}

/** Mostly an address without an account. */
const newEmail = fc.nat(1_000_000).map((number) => `new.${number}@example.com`)

/** Mostly a name that no project has. */
const newDomain = fc.nat(1_000_000).map((number) => `new${number}.example.com`)

/** A message, mostly of the ticket that a path names. */
const message = fc.oneof(reference('pairedMessage', []), reference('message'))

const variableName = fc.constantFrom('API_KEY', 'A', '_x9', 'DATABASE_URL', 'lower', '__proto__')
/** Marks the values of environment variables; no response may contain it. */
export const secretMarker = 'zqsecretqz'
const variableValue = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((rest) => `${secretMarker} ${rest.replaceAll('\0', '').toWellFormed()}`)

/** The `state` that every external login of a run uses. */
export const externalLoginState = '0123456789abcdef0123456789abcdef'

/** The example of RFC 7636, appendix B; the challenge below is its SHA-256. */
export const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** Valid values of a field, by its name; by its schema for a field without an entry. */
const byName: Record<string, (endpoint: Endpoint, schema: JsonSchema) => fc.Arbitrary<Value>> = {
  id: (endpoint) =>
    resourceOf(endpoint) === 'ticket'
      ? fc.oneof(reference('pairedTicket', []), reference('ticket'))
      : reference(resourceOf(endpoint)),
  key: ({ access }) => reference(access === 'operator' ? 'keyOfLostProject' : 'projectKey'),
  number: () => reference('releaseNumber'),
  // The site of `redirect_uri`.
  client_id: () =>
    fc
      .constantFrom<Ownership[]>('own', 'own', 'foreign')
      .map((ownership) => new Reference('siteKey', ownership, 0)),
  teamId: () => reference('team'),
  userId: () => reference('user'),
  before: () => message,
  messageId: () => message,
  paymentMethodId: () => reference('paymentMethod'),
  invoiceIds: () => fc.array(reference('invoice'), { minLength: 1, maxLength: 3 }),
  // No invitation to users of other teams: it would show them this team's name, which counts as a
  // leak.
  email: ({ path }) => {
    if (path.endsWith('/sign-up')) return newEmail
    return path.startsWith('/management/')
      ? fc.oneof(newEmail, reference('email', ['unknown']))
      : reference('email', ['foreign', 'unknown'])
  },
  password: () => fc.constant(new Reference('password', 'own', 0)),
  currentPassword: () => fc.constant(new Reference('password', 'own', 0)),
  token: ({ path }) =>
    path.endsWith('/verify')
      ? reference('verifyToken', ['unknown'])
      : path.endsWith('/reset-password')
        ? reference('resetToken', ['unknown'])
        : path.endsWith('/introspect')
          ? reference('accessToken', ['unknown'])
          : path.endsWith('/revoke')
            ? // A revoked token would be of no use to other requests.
              fc.constant(new Reference('accessToken', 'unknown', 0))
            : reference('bearerToken', ['unknown']),
  code: (endpoint) => {
    if (endpoint.path.startsWith('/account/device/')) return reference('userCode', ['unknown'])
    return reference(endpoint === tokenPage ? 'authorizationCode' : 'externalCode', ['unknown'])
  },
  deviceCode: () => reference('deviceCode', ['unknown']),
  projectIds: () =>
    fc.oneof(
      fc.constant(null),
      fc.array(reference('project', ['foreign']), { minLength: 1, maxLength: 3 }),
    ),
  days: () => fc.constantFrom<Value[]>(...personalTokenLifetimes),
  set: () => fc.dictionary(variableName, variableValue, { maxKeys: 5 }),
  remove: () => fc.array(variableName, { maxLength: 5 }),
  client_secret: () => fc.constant(new Reference('clientSecret', 'own', 0)),
  code_verifier: () => fc.constant(codeVerifier),
  grant_type: () => fc.constant('authorization_code'),
  provider: () => fc.constant('google'),
  __captcha_solution__: () => fc.constant(new Reference('captcha', 'own', 0)),
  name: () => marked,
  subject: () => marked,
  message: () => marked,
  text: () => marked,
  billingName: () => markedWord,
  address: () => markedWord,
  district: () => markedWord,
  city: () => markedWord,
  taxNumber: () => fc.constantFrom<Value[]>('1234567890', 'GB 123456789', '', null),
  holderName: () => markedWord,
  cardNumber: () => fc.constantFrom('4242424242424242', '4000000000000002', '5555 5555 5555 4444'),
  expireMonth: () => fc.constantFrom<Value[]>(1, 12, '12'),
  expireYear: () => fc.constantFrom<Value[]>(2030, 9999, '2031'),
  regionId: () => fc.constantFrom('eu', 'us'),
  domain: ({ path }) =>
    fc.oneof(
      path.includes('/domain/create/') ? newDomain : fc.constant(null),
      fc.nat(200).map((number) => `www${number}.example.com`),
    ),
  domainId: () => reference('domain'),
  clientId: () => reference('signInClient'),
  secretId: () => reference('signInSecret'),
  redirectUris: () => fc.constant(['http://localhost/callback']),
  logoutRedirectUris: () => fc.constantFrom<Value[]>([], ['http://localhost/bye']),
  isPublic: () => fc.constantFrom<Value[]>(false, false, false, true),
  productId: () => fc.constant('website'),
  price: () => price,
  discount: () => fc.oneof(fc.constant(null), price),
  from: () => fc.oneof(fc.constant(undefined), time),
  // A state of a resource is an enumeration; any other is the `state` of an external login.
  state: (_endpoint, schema) =>
    schema.enum ? fc.constantFrom(...schema.enum) : fc.constant(externalLoginState),
  response_type: () => fc.constant('code'),
  scope: () => fc.constantFrom('openid', 'openid profile email'),
  code_challenge: () => fc.constant(codeChallenge),
  code_challenge_method: () => fc.constant('S256'),
  prompt: () => fc.constant('none'),
  // A request is valid only without these.
  max_age: () => fc.constant(undefined),
  request: () => fc.constant(undefined),
  request_uri: () => fc.constant(undefined),
  response_mode: () => fc.constant(undefined),
  login_ticket: () => fc.constant(undefined),
  id_token_hint: () => fc.constant(undefined),
  post_logout_redirect_uri: () => fc.constant(undefined),
  redirect_uri: () => fc.constant(new Reference('siteUrl', 'own', 0)),
}

const integerOf = ({ minimum = 0, maximum = 100 }: JsonSchema) =>
  fc.integer({ min: minimum, max: Math.min(maximum, 1_000_000) })

function bySchema(endpoint: Endpoint, schema: JsonSchema): fc.Arbitrary<Value> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => bySchema(endpoint, each)))
  if (schema.properties) return validFields(endpoint, schema)
  if (schema.format === 'uuid') return fc.uuid()
  if (schema.type === 'array' && schema.items) return fc.array(bySchema(endpoint, schema.items))
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'null') return fc.constant(null)
  if (schema.type === 'integer' || schema.type === 'number') return integerOf(schema)
  return fc.string({ maxLength: 20 })
}

const validField = (endpoint: Endpoint, name: string, schema: JsonSchema) =>
  byName[name]?.(endpoint, schema) ?? bySchema(endpoint, schema)

/** Objects that the schema accepts, with and without their optional fields. */
export function validFields(
  endpoint: Endpoint,
  { properties = {}, required = [] }: JsonSchema,
): fc.Arbitrary<{ [field: string]: Value }> {
  return fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => {
        const field = validField(endpoint, name, schema)
        return [name, required.includes(name) ? field : fc.option(field, { nil: undefined })]
      }),
    ),
  )
}
