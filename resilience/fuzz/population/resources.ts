import { createDomain, deleteDomain } from '@slipway/contract/domains'
import type { Endpoint } from '@slipway/contract/endpoint'
import { createPaymentMethod } from '@slipway/contract/payment-method-forms'
import { deletePaymentMethod } from '@slipway/contract/payment-methods'
import {
  createPersonalToken,
  deletePersonalToken,
  personalTokenPrefix,
} from '@slipway/contract/personal-tokens'
import { createProject, deleteProject } from '@slipway/contract/projects'
import { createRelease, deployImage, rollBackRelease } from '@slipway/contract/releases'
import {
  createClientSecret,
  createSignInClient,
  deleteClientSecret,
  deleteSignInClient,
} from '@slipway/contract/sign-in-clients'
import { createTicket, sendTicketMessage } from '@slipway/contract/support'
import type { Reference, ResourceKind } from '../requests/value.ts'
import type { Owner } from './callers.ts'

/** References name the newest resources of a kind: older ones rarely find more. */
const maxPerKind = 20
/** Requests name only the newest of these: a pair, such as a ticket and its message. */
const onlyNewest: ReadonlySet<ResourceKind> = new Set([
  'pairedTicket',
  'pairedMessage',
  'personalToken',
  'personalTokenSecret',
])
const unknownIds: Partial<Record<ResourceKind, string>> = {
  projectKey: 'nothing-here',
  siteKey: 'nothing-here',
  siteUrl: 'http://nothing-here.localhost/',
  email: 'nobody.here@example.com',
  password: 'Another-horse8',
  verifyToken: 'x'.repeat(43),
  resetToken: 'x'.repeat(43),
  bearerToken: 'x'.repeat(43),
  keyOfLostProject: 'nothing-here',
  releaseNumber: '999999',
  externalCode: 'x'.repeat(43),
  authorizationCode: 'x'.repeat(43),
  clientSecret: 'x'.repeat(43),
  accessToken: 'x'.repeat(43),
  personalTokenSecret: personalTokenPrefix + 'x'.repeat(43),
  userCode: 'BBBB-BBBB',
  deviceCode: 'x'.repeat(43),
}
const unknownUuid = '0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee'

export type Resources = ReturnType<typeof createResources>

/** The ids of each owner's resources by kind, for requests. `onAdd` is called for each new one. */
export function createResources(onAdd: (id: string, owner: Owner) => void) {
  const existing = new Map<string, string[]>()
  const deleted = new Map<string, string[]>()

  function add(idsByOwner: Map<string, string[]>, owner: Owner, kind: ResourceKind, id: string) {
    const ids = idsByOwner.get(`${owner}/${kind}`) ?? []
    if (!ids.includes(id))
      idsByOwner.set(
        `${owner}/${kind}`,
        [...ids, id].slice(onlyNewest.has(kind) ? -1 : -maxPerKind),
      )
  }
  const idsOf = (
    idsByOwner: Map<string, string[]>,
    kind: ResourceKind,
    isIncluded: (owner: string) => boolean,
  ) =>
    [...idsByOwner].flatMap(([name, ids]) => {
      const [owner = '', kindOfIds] = name.split('/')
      return kindOfIds === kind && isIncluded(owner) ? ids : []
    })

  return {
    add(owner: Owner, kind: ResourceKind, id: string) {
      add(existing, owner, kind, id)
      onAdd(id, owner)
    },

    has: (owner: Owner, kind: ResourceKind) => (existing.get(`${owner}/${kind}`) ?? []).length > 0,

    remove(owner: Owner, kind: ResourceKind, id: string) {
      const name = `${owner}/${kind}`
      existing.set(
        name,
        (existing.get(name) ?? []).filter((each) => each !== id),
      )
      add(deleted, owner, kind, id)
    },

    /** The id of a reference, for these owners; an unknown id if no resource matches. */
    find({ kind, ownership, pick }: Reference, owners: readonly string[]): string {
      const ids =
        ownership === 'own'
          ? idsOf(existing, kind, (each) => owners.includes(each))
          : ownership === 'foreign'
            ? idsOf(existing, kind, (each) => !owners.includes(each))
            : ownership === 'deleted'
              ? idsOf(deleted, kind, () => true)
              : []
      return ids[pick % ids.length] ?? unknownIds[kind] ?? unknownUuid
    },
  }
}

type Created = {
  id: string
  key?: string
  messages?: { id: string }[]
  number?: number
  personalToken?: { id: string }
  client?: { id: string; secrets: { id: string }[] }
}

/** Records the resource that a successful call created or deleted. */
export function recordChange(
  resources: Resources,
  owner: Owner,
  endpoint: Endpoint,
  params: Record<string, string>,
  body: unknown,
) {
  const { id, key, messages = [], number, personalToken, client } = (body ?? {}) as Created
  if (endpoint === createProject) {
    resources.add(owner, 'project', id)
    resources.add(owner, 'projectKey', key ?? '')
  }
  if (endpoint === deleteProject) resources.remove(owner, 'project', id)
  if (endpoint === createTicket) {
    resources.add(owner, 'ticket', id)
    for (const message of messages) resources.add(owner, 'message', message.id)
  }
  if (endpoint === sendTicketMessage) resources.add(owner, 'message', id)
  if ([createRelease, deployImage, rollBackRelease].some((each) => each === endpoint))
    resources.add(owner, 'releaseNumber', String(number))
  if (endpoint === createDomain) resources.add(owner, 'domain', id)
  if (endpoint === deleteDomain && params.domainId !== undefined)
    resources.remove(owner, 'domain', params.domainId)
  if (endpoint === createSignInClient || endpoint === createClientSecret) {
    resources.add(owner, 'signInClient', client?.id ?? '')
    for (const secret of client?.secrets ?? []) resources.add(owner, 'signInSecret', secret.id)
  }
  if (endpoint === deleteSignInClient && params.clientId !== undefined)
    resources.remove(owner, 'signInClient', params.clientId)
  if (endpoint === deleteClientSecret && params.secretId !== undefined)
    resources.remove(owner, 'signInSecret', params.secretId)
  if (endpoint === createPersonalToken)
    resources.add(owner, 'personalToken', personalToken?.id ?? '')
  if (endpoint === deletePersonalToken && params.id !== undefined)
    resources.remove(owner, 'personalToken', params.id)
  if (endpoint === createPaymentMethod) resources.add(owner, 'paymentMethod', id)
  if (endpoint === deletePaymentMethod && params.id !== undefined)
    resources.remove(owner, 'paymentMethod', params.id)
}
