import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { InputOf, ResponseOf } from '@slipway/contract/endpoint'
import { limits, minute } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import type {
  ClientSecretId,
  createSignInClient,
  listSignInClients,
  SignInClient,
  SignInClientId,
  updateSignInClient,
} from '@slipway/contract/sign-in-clients'
import type { Context, Db, Tx, UserContext } from '../../context.ts'
import { invalid, problem } from '../../problem.ts'
import { logSecurityEvent } from '../../security-events.ts'
import { recordActivity } from '../activity/activity.service.ts'
import * as projectClients from '../projects/clients/clients.service.ts'
import * as projects from '../projects/projects.service.ts'
import { isRegistrable } from './sign-in-clients.redirects.ts'
import * as store from './sign-in-clients.store.ts'

export { isRedirectAllowed, isRegistered } from './sign-in-clients.redirects.ts'
export type { Client } from './sign-in-clients.store.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** The prefix of every secret, so that scanners recognize a leaked one. */
const secretPrefix = 'slipway_cs_'
const hintLength = 4

/** The `client_id` of a client: its id in a form that no project's key has. */
const clientIdPrefix = 'client_'
export const clientIdOf = ({ id }: Pick<store.Client, 'id'>) =>
  clientIdPrefix + id.replaceAll('-', '')

/** The id in a `client_id`; undefined for any other text. */
function idOf(clientId: string): SignInClientId | undefined {
  const [, ...parts] =
    /^client_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(clientId) ??
    []
  return parts.length === 0 ? undefined : (parts.join('-') as SignInClientId)
}

async function present(db: Db, clients: readonly store.Client[]): Promise<SignInClient[]> {
  const secrets =
    clients.length === 0
      ? []
      : await store.listSecrets(
          db,
          clients.map(({ id }) => id),
        )
  return clients.map((client) => ({
    id: client.id,
    clientId: clientIdOf(client),
    name: client.name,
    isPublic: client.isPublic,
    algorithm: client.algorithm,
    redirectUris: client.redirectUris,
    logoutRedirectUris: client.logoutRedirectUris,
    secrets: secrets
      .filter(({ clientId }) => clientId === client.id)
      .map(({ id, hint, createdAt, lastUsedAt }) => ({
        id,
        hint,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
    createdAt: client.createdAt.toISOString(),
  }))
}

async function presentOne(db: Db, client: store.Client): Promise<SignInClient> {
  const [response] = await present(db, [client])
  if (!response) throw new Error('a client without a response')
  return response
}

/** A project's clients, and the origins allowed in their URIs. Throws `project_not_found`. */
export async function list(
  ctx: UserContext,
  projectId: ProjectId,
): Promise<ResponseOf<typeof listSignInClients>> {
  await projects.requireForUser(ctx, projectId)
  const stored = await store.list(ctx.db, projectId, serviceLimits.signInClientsPerProject)
  const project = await projectClients.findClientById(ctx, projectId)
  return {
    clients: await present(ctx.db, stored),
    origins: project?.origins ?? [],
    issuer: ctx.env.PUBLIC_URL,
  }
}

/** Throws `validation_error` unless each URI is on an origin of the project or localhost. */
async function checkUris(
  ctx: UserContext,
  tx: Tx,
  projectId: ProjectId,
  form: InputOf<typeof updateSignInClient>['body'],
) {
  const origins =
    (await projectClients.findClientById({ ...ctx, db: tx }, projectId))?.origins ?? []
  const isAllowed = (uri: string) => isRegistrable(uri, origins)
  if (!form.redirectUris.every(isAllowed)) throw invalid({ redirectUris: 'form_redirect_address' })
  if (!form.logoutRedirectUris.every(isAllowed))
    throw invalid({ logoutRedirectUris: 'form_redirect_address' })
}

async function createSecret(ctx: Pick<Context, 'clock'>, tx: Tx, clientId: SignInClientId) {
  const secret = secretPrefix + randomBytes(32).toString('base64url')
  await store.insertSecret(tx, {
    clientId,
    secretHash: sha256(secret),
    hint: secret.slice(-hintLength),
    createdAt: ctx.clock.now(),
  })
  return secret
}

const withoutDuplicates = (uris: readonly string[]) => [...new Set(uris)]

/**
 * Creates a client with a secret, which no later response contains; a public client has none.
 * Throws `project_not_found`, `cannot_update_deleted_project`, `sign_in_client_limit_reached` and
 * `validation_error`.
 */
export async function create(
  ctx: UserContext,
  projectId: ProjectId,
  form: InputOf<typeof createSignInClient>['body'],
): Promise<ResponseOf<typeof createSignInClient>> {
  const created = await ctx.write(async (tx) => {
    const project = await projects.lockForChange(ctx, tx, projectId)
    await checkUris(ctx, tx, projectId, form)
    if ((await store.count(tx, projectId)) >= serviceLimits.signInClientsPerProject)
      throw problem('sign_in_client_limit_reached')
    const now = ctx.clock.now()
    const client = await store.insert(tx, {
      projectId,
      name: form.name,
      isPublic: form.isPublic,
      algorithm: form.algorithm,
      redirectUris: withoutDuplicates(form.redirectUris),
      logoutRedirectUris: withoutDuplicates(form.logoutRedirectUris),
      createdAt: now,
      updatedAt: now,
    })
    const secret = form.isPublic ? null : await createSecret(ctx, tx, client.id)
    await recordActivity(ctx, tx, {
      kind: 'client_created',
      concerns: { project },
      subject: client.name,
    })
    await projects.publishChange(tx, projectId)
    return { client: await presentOne(tx, client), secret }
  })
  logSecurityEvent(ctx, 'sign_in_client_created', { userId: ctx.user.id, projectId })
  return created
}

/**
 * Changes a client. Throws `project_not_found`, `cannot_update_deleted_project`, `item_not_found`
 * and `validation_error`.
 */
export const update = (
  ctx: UserContext,
  projectId: ProjectId,
  id: SignInClientId,
  form: InputOf<typeof updateSignInClient>['body'],
): Promise<SignInClient> =>
  ctx.write(async (tx) => {
    const project = await projects.lockForChange(ctx, tx, projectId)
    await checkUris(ctx, tx, projectId, form)
    const changed = await store.update(tx, projectId, id, {
      name: form.name,
      algorithm: form.algorithm,
      redirectUris: withoutDuplicates(form.redirectUris),
      logoutRedirectUris: withoutDuplicates(form.logoutRedirectUris),
      updatedAt: ctx.clock.now(),
    })
    if (!changed) throw problem('item_not_found')
    await recordActivity(ctx, tx, {
      kind: 'client_changed',
      concerns: { project },
      subject: changed.name,
    })
    await projects.publishChange(tx, projectId)
    return presentOne(tx, changed)
  })

/**
 * Deletes a client with its secrets, codes and tokens. Throws `project_not_found`,
 * `cannot_update_deleted_project` and `item_not_found`.
 */
export async function remove(
  ctx: UserContext,
  projectId: ProjectId,
  id: SignInClientId,
): Promise<void> {
  await ctx.write(async (tx) => {
    const project = await projects.lockForChange(ctx, tx, projectId)
    const removed = await store.find(tx, projectId, id)
    if (!(await store.remove(tx, projectId, id))) throw problem('item_not_found')
    await recordActivity(ctx, tx, {
      kind: 'client_deleted',
      concerns: { project },
      subject: removed?.name,
    })
    await projects.publishChange(tx, projectId)
  })
  logSecurityEvent(ctx, 'sign_in_client_deleted', { userId: ctx.user.id, projectId })
}

/** A client that may have secrets, of a locked project. Throws `item_not_found`. */
async function requireConfidential(
  ctx: UserContext,
  tx: Tx,
  projectId: ProjectId,
  id: SignInClientId,
) {
  const project = await projects.lockForChange(ctx, tx, projectId)
  const client = await store.find(tx, projectId, id)
  if (!client || client.isPublic) throw problem('item_not_found')
  return { client, project }
}

/**
 * Creates another secret, so that the former one can be revoked once the software has the new one.
 * Throws `project_not_found`, `cannot_update_deleted_project`, `item_not_found` and
 * `client_secret_limit_reached`.
 */
export async function addSecret(ctx: UserContext, projectId: ProjectId, id: SignInClientId) {
  const created = await ctx.write(async (tx) => {
    const { client, project } = await requireConfidential(ctx, tx, projectId, id)
    if ((await store.listSecrets(tx, [id])).length >= limits.secretsPerSignInClient)
      throw problem('client_secret_limit_reached')
    const secret = await createSecret(ctx, tx, id)
    await recordActivity(ctx, tx, {
      kind: 'client_secret_created',
      concerns: { project },
      subject: client.name,
    })
    await projects.publishChange(tx, projectId)
    return { client: await presentOne(tx, client), secret }
  })
  logSecurityEvent(ctx, 'client_secret_created', { userId: ctx.user.id, projectId })
  return created
}

/**
 * Revokes a secret at once. Throws `project_not_found`, `cannot_update_deleted_project` and
 * `item_not_found`.
 */
export async function removeSecret(
  ctx: UserContext,
  {
    id: projectId,
    clientId,
    secretId,
  }: { id: ProjectId; clientId: SignInClientId; secretId: ClientSecretId },
): Promise<SignInClient> {
  const client = await ctx.write(async (tx) => {
    const { client: stored, project } = await requireConfidential(ctx, tx, projectId, clientId)
    if (!(await store.removeSecret(tx, clientId, secretId))) throw problem('item_not_found')
    await recordActivity(ctx, tx, {
      kind: 'client_secret_revoked',
      concerns: { project },
      subject: stored.name,
    })
    await projects.publishChange(tx, projectId)
    return presentOne(tx, stored)
  })
  logSecurityEvent(ctx, 'client_secret_revoked', { userId: ctx.user.id, projectId })
  return client
}

/** The client with this `client_id`, for the login provider. */
export async function findByClientId(
  ctx: Pick<Context, 'db'>,
  clientId: string,
): Promise<store.Client | undefined> {
  const id = idOf(clientId)
  return id && store.findById(ctx.db, id)
}

/**
 * True for one of the client's secrets. Records the use of the secret at most once a minute. The
 * response time does not tell how many secrets there are, or which one is close.
 */
export async function hasSecret(
  ctx: Pick<Context, 'db' | 'clock'>,
  { id }: Pick<store.Client, 'id'>,
  secret: string,
): Promise<boolean> {
  const requestedHash = sha256(secret)
  const secrets = await store.listSecrets(ctx.db, [id])
  const emptyHash = sha256('')
  const comparisons = Array.from({ length: limits.secretsPerSignInClient }, (_, index) => ({
    stored: secrets[index],
    isEqual: timingSafeEqual(secrets[index]?.secretHash ?? emptyHash, requestedHash),
  }))
  const used = comparisons.find(({ stored, isEqual }) => stored !== undefined && isEqual)?.stored
  if (!used) return false
  const now = ctx.clock.now()
  const thisMinute = new Date(Math.floor(now.getTime() / minute) * minute)
  if (!used.lastUsedAt || used.lastUsedAt < thisMinute)
    await store.touchSecret(ctx.db, used.id, thisMinute)
  return true
}

/** Removes the clients of a deleted project, with their secrets and tokens. */
export const removeAll = store.removeAll
