import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { singleLineText } from './field-schemas.ts'
import { type Id, idInput, idOutput } from './id.ts'
import { limits } from './limits.ts'

export type SignInClientId = Id<'SignInClient'>
export type ClientSecretId = Id<'ClientSecret'>

/** How ID tokens are signed. RS256 is the default of OpenID Connect, which every client knows. */
export const signingAlgorithms = ['RS256', 'ES256'] as const
export type SigningAlgorithm = (typeof signingAlgorithms)[number]

/** Software of a customer that signs the project's team in by OpenID Connect. */
export const signInClient = z.object({
  id: idOutput<'SignInClient'>(),
  /** The `client_id` of the software. */
  clientId: z.string(),
  name: z.string(),
  /** A public client has no secret and must use PKCE. */
  isPublic: z.boolean(),
  algorithm: z.enum(signingAlgorithms),
  redirectUris: z.array(z.string()),
  logoutRedirectUris: z.array(z.string()),
  /** The newest first; without the secrets, which are shown once. */
  secrets: z.array(
    z.object({
      id: idOutput<'ClientSecret'>(),
      /** Its last characters. */
      hint: z.string(),
      createdAt: z.iso.datetime(),
      /** Rounded to the minute; null before the first use. */
      lastUsedAt: z.nullable(z.iso.datetime()),
    }),
  ),
  createdAt: z.iso.datetime(),
})
export type SignInClient = z.output<typeof signInClient>

const uris = z
  .array(
    z.string('form_invalid').check(z.trim(), z.maxLength(limits.redirectUriMax, 'form_too_long')),
  )
  .check(z.maxLength(limits.redirectUrisPerClient, 'form_too_many_addresses'))

const form = {
  name: singleLineText('form_enter_name', 1),
  algorithm: z._default(z.enum(signingAlgorithms, 'form_invalid'), 'RS256'),
  /** The addresses that receive the login: exact, on proven domains or localhost. */
  redirectUris: uris.check(z.minLength(1, 'form_enter_redirect_address')),
  /** Where the browser goes after a logout. */
  logoutRedirectUris: z._default(uris, []),
}

const id = { id: idInput<'Project'>() }
/** `clientId` is the `id` of the client here, not its `client_id`. */
const ids = { ...id, clientId: idInput<'SignInClient'>() }
const secret = z.string()

export const listSignInClients = endpoint('GET /management/project/client/all/:id', {
  summary: 'List the clients that sign the team of a project in, the newest first',
  params: id,
  response: z.object({
    clients: z.array(signInClient),
    /** The origins that redirect URIs may have, besides `http://localhost`. */
    origins: z.array(z.string()),
    issuer: z.string(),
  }),
  errors: ['project_not_found'],
})

export const createSignInClient = endpoint('POST /management/project/client/create/:id', {
  summary: 'Create a client; the response is the only one that has its secret',
  params: id,
  body: z.object({ ...form, isPublic: z._default(z.boolean('form_invalid'), false) }),
  /** The secret of a public client is null. */
  response: z.object({ client: signInClient, secret: z.nullable(secret) }),
  errors: ['project_not_found', 'cannot_update_deleted_project', 'sign_in_client_limit_reached'],
})

export const updateSignInClient = endpoint('PUT /management/project/client/update/:id/:clientId', {
  summary: 'Change a client',
  params: ids,
  body: z.object(form),
  response: signInClient,
  errors: ['project_not_found', 'cannot_update_deleted_project', 'item_not_found'],
})

export const deleteSignInClient = endpoint(
  'DELETE /management/project/client/delete/:id/:clientId',
  {
    summary: 'Delete a client and revoke its tokens',
    params: ids,
    errors: ['project_not_found', 'cannot_update_deleted_project', 'item_not_found'],
  },
)

export const createClientSecret = endpoint(
  'POST /management/project/client/secret/create/:id/:clientId',
  {
    summary: 'Create another secret of a client, which has at most two',
    params: ids,
    response: z.object({ client: signInClient, secret }),
    errors: [
      'project_not_found',
      'cannot_update_deleted_project',
      'item_not_found',
      'client_secret_limit_reached',
    ],
  },
)

export const deleteClientSecret = endpoint(
  'DELETE /management/project/client/secret/delete/:id/:clientId/:secretId',
  {
    summary: 'Revoke a secret of a client',
    params: { ...ids, secretId: idInput<'ClientSecret'>() },
    response: signInClient,
    errors: ['project_not_found', 'cannot_update_deleted_project', 'item_not_found'],
  },
)
