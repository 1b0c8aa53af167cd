import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import { money, toAmount } from '@slipway/contract/money'
import type { TeamId } from '@slipway/contract/teams'
import { connect, type Db } from '../../apps/server/src/db/connect.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/db/embedded.ts'
import { newId } from '../../apps/server/src/db/ids.ts'
import { migrate } from '../../apps/server/src/db/migrate.ts'
import { users } from '../../apps/server/src/modules/account/account.schema.ts'
import { invoiceItems, invoices } from '../../apps/server/src/modules/invoices/invoices.schema.ts'
import { projects } from '../../apps/server/src/modules/projects/projects.schema.ts'
import { sessions } from '../../apps/server/src/modules/sessions/sessions.schema.ts'
import { teamMembers, teams } from '../../apps/server/src/modules/teams/teams.schema.ts'

const amountOf = (text: string) => toAmount(money(text))

const silent = { info: () => undefined, warn: () => undefined }

/** Starts a migrated PostgreSQL for the benchmark; servers use it by its URL. */
export async function startDatabase(dataDir: string) {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
  await migrate(postgres.connection)
  let isStopping = false
  // A stopping PostgreSQL ends connections that are still closing.
  const onError = (error: Error) => {
    if (!isStopping) throw error
  }
  const { db, pool, close } = connect(postgres.connection, { onError })
  return {
    db,
    pool,
    url: postgres.url,
    connection: postgres.connection,
    async stop() {
      isStopping = true
      await close()
      await postgres.stop()
    },
  }
}

/** Inserts users with sessions in one team, and returns their tokens. */
export async function seedTeam(db: Db, size: number) {
  const now = new Date()
  const times = { createdAt: now, updatedAt: now }
  const members = Array.from({ length: size }, (_, index) => ({
    id: newId<'User'>(),
    username: `example${index}${randomBytes(4).toString('hex')}`,
    token: randomBytes(32).toString('base64url'),
  }))
  const teamId = newId<'Team'>()
  const [owner] = members
  if (!owner) throw new Error('a team needs at least one user')
  await db.insert(users).values(
    members.map(({ id, username }) => ({
      ...times,
      id,
      username,
      name: 'Example',
      email: `${username}@example.com`,
      loginKind: 'Email' as const,
      verifiedAt: now,
    })),
  )
  await db.insert(teams).values({ ...times, id: teamId, name: 'Examples', userId: owner.id })
  await db
    .insert(teamMembers)
    .values(members.map(({ id }) => ({ teamId, userId: id, createdAt: now })))
  await db.insert(sessions).values(
    members.map(({ id, token }) => ({
      id: newId<'Session'>(),
      userId: id,
      tokenHash: createHash('sha256').update(token).digest(),
      lastUsedAt: now,
      createdAt: now,
    })),
  )
  return { teamId, userId: owner.id, token: owner.token, tokens: members.map(({ token }) => token) }
}

export type Tenant = { teamId: TeamId; userId: UserId; token: string }

/** Rows per statement: PostgreSQL accepts 65,535 parameters in one. */
const rowsPerStatement = 1000

/** Inserts ready projects of the team; a `ROLE=web` server runs none of them. */
export async function seedProjects(
  db: Db,
  { teamId }: Pick<Tenant, 'teamId'>,
  count: number,
  prefix = 'example',
  values: Partial<typeof projects.$inferInsert> = {},
) {
  const now = new Date()
  const rows = Array.from({ length: count }, (_, index) => ({
    id: newId<'Project'>(),
    teamId,
    key: `${prefix}-${index}`,
    regionId: 'eu',
    cluster: 'local',
    name: `Example ${index}`,
    domain: index % 2 === 0 ? `www${index}.${prefix}.com` : null,
    state: 'ready' as const,
    metadata: [
      { key: 'cms_version', value: '1.0.0' },
      { key: 'database_version', value: '1' },
    ],
    generation: 1,
    appliedGeneration: 1,
    ...values,
    createdAt: now,
    updatedAt: now,
  }))
  const stored = []
  for (let start = 0; start < count; start += rowsPerStatement)
    stored.push(
      ...(await db
        .insert(projects)
        .values(rows.slice(start, start + rowsPerStatement))
        .returning()),
    )
  return stored
}

/** Inserts an unpaid invoice of a month for a project that ran all month, and returns its id. */
export async function seedInvoice(db: Db, userId: UserId, key: string, monthsAgo = 1) {
  const now = new Date()
  const month = (ago: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago))
  const project = (await db.select().from(projects)).find((each) => each.key === key)
  if (!project) throw new Error(`no project has the key ${key}`)
  const period = { startsAt: month(monthsAgo), endsAt: month(monthsAgo - 1) }
  const amount = amountOf('8.4')
  const id = newId<'Invoice'>()
  await db.insert(invoices).values({ ...period, id, userId, amount, issuedAt: period.endsAt })
  await db.insert(invoiceItems).values({
    id: newId<'InvoiceItem'>(),
    invoiceId: id,
    projectId: project.id,
    projectKey: key,
    projectName: project.name,
    productId: 'website',
    productNames: { en: 'Website', tr: 'Web sitesi' },
    price: amountOf('0.0125'),
    discount: null,
    runningHours: 672,
    amount,
    discountAmount: amountOf('0'),
    totalAmount: amount,
    startsAt: period.startsAt,
    createdAt: now,
  })
  return id
}
