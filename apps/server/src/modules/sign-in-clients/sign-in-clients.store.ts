import type { ProjectId } from '@slipway/contract/projects'
import type { ClientSecretId, SignInClientId } from '@slipway/contract/sign-in-clients'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { signInClientSecrets, signInClients } from './sign-in-clients.schema.ts'

export type Client = typeof signInClients.$inferSelect
export type ClientSecret = typeof signInClientSecrets.$inferSelect

export const list = (db: Db, projectId: ProjectId, limit: number): Promise<Client[]> =>
  db
    .select()
    .from(signInClients)
    .where(eq(signInClients.projectId, projectId))
    .orderBy(desc(signInClients.createdAt), desc(signInClients.id))
    .limit(limit)

export const count = (tx: Tx, projectId: ProjectId) =>
  tx.$count(signInClients, eq(signInClients.projectId, projectId))

export async function find(db: Db, projectId: ProjectId, id: SignInClientId) {
  const [client] = await db
    .select()
    .from(signInClients)
    .where(and(eq(signInClients.projectId, projectId), eq(signInClients.id, id)))
  return client
}

/** For the login provider: its requests name a client, but no project. */
export async function findById(db: Db, id: SignInClientId): Promise<Client | undefined> {
  const [client] = await db.select().from(signInClients).where(eq(signInClients.id, id))
  return client
}

export async function insert(
  tx: Tx,
  client: Omit<typeof signInClients.$inferInsert, 'id'>,
): Promise<Client> {
  const [stored] = await tx
    .insert(signInClients)
    .values({ ...client, id: newId<'SignInClient'>() })
    .returning()
  if (!stored) throw new Error('the client was not stored')
  return stored
}

/** Undefined if the client is not the project's. */
export async function update(
  tx: Tx,
  projectId: ProjectId,
  id: SignInClientId,
  change: Pick<Client, 'name' | 'algorithm' | 'redirectUris' | 'logoutRedirectUris' | 'updatedAt'>,
): Promise<Client | undefined> {
  const [stored] = await tx
    .update(signInClients)
    .set(change)
    .where(and(eq(signInClients.projectId, projectId), eq(signInClients.id, id)))
    .returning()
  return stored
}

/** False if the client is not the project's. */
export async function remove(tx: Tx, projectId: ProjectId, id: SignInClientId) {
  const removed = await tx
    .delete(signInClients)
    .where(and(eq(signInClients.projectId, projectId), eq(signInClients.id, id)))
    .returning({ id: signInClients.id })
  return removed.length === 1
}

/** The secrets of these clients, the newest first; a client has two at most. */
export const listSecrets = (
  db: Db,
  clientIds: readonly SignInClientId[],
): Promise<ClientSecret[]> =>
  db
    .select()
    .from(signInClientSecrets)
    .where(inArray(signInClientSecrets.clientId, [...clientIds]))
    .orderBy(desc(signInClientSecrets.createdAt), desc(signInClientSecrets.id))

export async function insertSecret(
  tx: Tx,
  secret: Pick<ClientSecret, 'clientId' | 'secretHash' | 'hint' | 'createdAt'>,
) {
  await tx.insert(signInClientSecrets).values({ ...secret, id: newId<'ClientSecret'>() })
}

/** False if the secret is not the client's. */
export async function removeSecret(tx: Tx, clientId: SignInClientId, id: ClientSecretId) {
  const removed = await tx
    .delete(signInClientSecrets)
    .where(and(eq(signInClientSecrets.clientId, clientId), eq(signInClientSecrets.id, id)))
    .returning({ id: signInClientSecrets.id })
  return removed.length === 1
}

export async function touchSecret(db: Db, id: ClientSecretId, lastUsedAt: Date) {
  await db.update(signInClientSecrets).set({ lastUsedAt }).where(eq(signInClientSecrets.id, id))
}

export async function removeAll(tx: Tx, projectId: ProjectId) {
  await tx.delete(signInClients).where(eq(signInClients.projectId, projectId))
}
