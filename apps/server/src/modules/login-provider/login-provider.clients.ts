import { createHash, timingSafeEqual } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import type { ProjectId } from '@slipway/contract/projects'
import type { SignInClientId, SigningAlgorithm } from '@slipway/contract/sign-in-clients'
import type { Context } from '../../context.ts'
import * as projectClients from '../projects/clients/clients.service.ts'
import * as signInClients from '../sign-in-clients/sign-in-clients.service.ts'
import * as siteClients from '../site-clients/site-clients.service.ts'
import { OAuthProblem } from './login-provider.problem.ts'

type Ctx = Pick<Context, 'db' | 'env'>

/** A client of the login provider: the one of a project's site, or a customer's own. */
export type Client = {
  clientId: string
  projectId: ProjectId
  /** The id of a customer's own client; null for the client of the project's site. */
  ownId: SignInClientId | null
  name: string
  algorithm: SigningAlgorithm
  /** A public client has no secret. */
  isPublic: boolean
  mayRedirectTo(uri: string): boolean
  /** True for an address that the browser may be sent to after a logout. */
  mayLogOutTo(uri: string): boolean
}

/** The client of a project's site. It owns its whole origin (decision 10). */
function siteClient(project: projectClients.SiteClient): Client {
  const isOwn = (uri: string) => signInClients.isRedirectAllowed(uri, project.origins)
  return {
    clientId: project.key,
    projectId: project.id,
    ownId: null,
    name: project.name,
    // Sites of earlier versions know no other.
    algorithm: 'ES256',
    isPublic: false,
    mayRedirectTo: isOwn,
    mayLogOutTo: isOwn,
  }
}

function ownClient(
  client: signInClients.Client,
  { origins }: Pick<projectClients.SiteClient, 'origins'>,
): Client {
  return {
    clientId: signInClients.clientIdOf(client),
    projectId: client.projectId,
    ownId: client.id,
    name: client.name,
    algorithm: client.algorithm,
    isPublic: client.isPublic,
    // A domain that the project has lost does not count.
    mayRedirectTo: (uri) =>
      signInClients.isRegistered(uri, { registered: client.redirectUris, origins }),
    mayLogOutTo: (uri) =>
      signInClients.isRegistered(uri, { registered: client.logoutRedirectUris, origins }),
  }
}

/** The client with this `client_id`; undefined for an unknown one and for a deleted project's. */
export async function findClient(ctx: Ctx, clientId: string): Promise<Client | undefined> {
  const registeredClient = await signInClients.findByClientId(ctx, clientId)
  if (registeredClient) {
    const project = await projectClients.findClientById(ctx, registeredClient.projectId)
    return project && ownClient(registeredClient, project)
  }
  const project = await projectClients.findClient(ctx, clientId)
  return project && siteClient(project)
}

/** The client with this `client_id` if the user is in its team: only members may sign in. */
export async function findClientForUser(
  ctx: Ctx,
  userId: UserId,
  clientId: string,
): Promise<Client | undefined> {
  const client = await findClient(ctx, clientId)
  const isMember = client && (await projectClients.isMember(ctx.db, userId, client.projectId))
  return isMember ? client : undefined
}

export type Credentials = { clientId: string; clientSecret: string | undefined }

const sha256 = (text: string) => createHash('sha256').update(text).digest()

async function hasSiteSecret(
  ctx: Ctx & Pick<Context, 'clock' | 'sealing' | 'write'>,
  projectId: ProjectId,
  secret: string,
) {
  const expected = sha256(await siteClients.clientSecret(ctx, projectId))
  return timingSafeEqual(expected, sha256(secret))
}

/** Stands in for an unknown client's id, so that the response takes equally long. */
const unknownId = '00000000-0000-0000-0000-000000000000' as ProjectId

/**
 * The client of a request to a token endpoint. Throws `invalid_client` for an unknown client, a
 * wrong or missing secret, and any secret of a public client, which has none.
 */
export async function authenticateClient(
  ctx: Ctx & Pick<Context, 'clock' | 'sealing' | 'write'>,
  { clientId, clientSecret = '' }: Credentials,
): Promise<Client> {
  const client = await findClient(ctx, clientId)
  const isAuthentic = client?.isPublic
    ? clientSecret === ''
    : client?.ownId
      ? await signInClients.hasSecret(ctx, { id: client.ownId }, clientSecret)
      : await hasSiteSecret(ctx, client?.projectId ?? unknownId, clientSecret)
  if (!client || !isAuthentic)
    throw new OAuthProblem('invalid_client', 'unknown client or wrong secret')
  return client
}

export const isGrantedTo = (
  client: Client,
  grant: { projectId: ProjectId; clientId: SignInClientId | null },
) => grant.projectId === client.projectId && grant.clientId === client.ownId
