import { randomUUID } from 'node:crypto'
import { type UserId, updateProfileName } from '@slipway/contract/account'
import { listUnpaidInvoices, payInvoices } from '@slipway/contract/invoices'
import { createPaymentMethod } from '@slipway/contract/payment-method-forms'
import { issueInvoices as issueAllInvoices } from '@slipway/contract/products'
import {
  changeProjectDomain,
  changeProjectPower,
  createProject,
  deleteProject,
  listProjects,
  renameProject,
} from '@slipway/contract/projects'
import { createRelease, rollBackRelease } from '@slipway/contract/releases'
import { createTicket, resolveTicket, sendTicketMessage } from '@slipway/contract/support'
import {
  cardForm,
  timesOut,
  visa,
} from '../../../apps/server/src/modules/payment-methods/payment-methods.fixture.ts'
import { zipOf } from '../../../apps/server/src/testing/archives.ts'
import { sitePage } from '../../../apps/server/src/testing/site-page.ts'
import type { Random } from '../../harness/random.ts'
import type { Product } from '../product/product.ts'
import { ageUsageOf } from './age-usage.ts'
import { createField } from './attempt.ts'
import type { Journal } from './journal.ts'
import type { Session } from './session.ts'

type Scene = { session: Session; product: Product; random: Random; journal: Journal }
type Action = (scene: Scene) => Promise<unknown>

const newText = () => `Example ${randomUUID()}`

/** A project that may still exist. */
const pickProject = ({ session, random }: Scene) =>
  random.pick(session.entry.projects.filter(({ deleted }) => deleted.possible.includes(false)))

const renameUser: Action = async ({ session: { call, entry } }) => {
  const name = newText()
  entry.name.record(await call(updateProfileName, { body: { name } }), name)
}

const createNewProject: Action = async ({ session: { callUntilKnown, entry, teamId } }) => {
  const name = newText()
  const created = await callUntilKnown(createProject, {
    body: { name, teamId, regionId: 'eu', domain: null, idempotencyKey: randomUUID() },
  })
  if (created.outcome !== 'acknowledged') return
  const { id, key } = created.result
  entry.projects.push({
    id,
    key,
    name: createField(name),
    domain: createField<string | null>(null),
    power: createField<'running' | 'stopped'>('running'),
    deleted: createField(false),
    releases: [],
  })
}

const renameAProject: Action = async (scene) => {
  const project = pickProject(scene)
  if (!project) return
  const name = newText()
  const { id } = project
  project.name.record(
    await scene.session.call(renameProject, { params: { id }, body: { name } }),
    name,
  )
}

const changeADomain: Action = async (scene) => {
  const project = pickProject(scene)
  if (!project) return
  const domain = scene.random.chance(0.3) ? null : `${randomUUID()}.example.com`
  const { id } = project
  project.domain.record(
    await scene.session.call(changeProjectDomain, { params: { id }, body: { domain } }),
    domain,
  )
}

const changeAPower: Action = async (scene) => {
  const project = pickProject(scene)
  if (!project) return
  const power = scene.random.chance(0.4) ? 'stopped' : 'running'
  const { id } = project
  project.power.record(
    await scene.session.call(changeProjectPower, { params: { id }, body: { power } }),
    power,
  )
}

const deleteAProject: Action = async (scene) => {
  const project = pickProject(scene)
  if (!project) return
  project.deleted.record(
    await scene.session.call(deleteProject, { params: { id: project.id } }),
    true,
  )
}

const openTicket: Action = async ({ session: { callUntilKnown, entry } }) => {
  const message = newText()
  const opened = await callUntilKnown(createTicket, {
    body: { subject: 'Example', message, idempotencyKey: randomUUID() },
  })
  if (opened.outcome === 'acknowledged')
    entry.tickets.push({
      id: opened.result.id,
      resolved: createField(false),
      messages: [message],
    })
}

const writeMessage: Action = async ({ session: { callUntilKnown, entry }, random }) => {
  const ticket = random.pick(entry.tickets)
  if (!ticket) return
  const text = newText()
  const sent = await callUntilKnown(sendTicketMessage, {
    params: { id: ticket.id },
    body: { text, idempotencyKey: randomUUID() },
  })
  if (sent.outcome === 'acknowledged') ticket.messages.push(text)
}

const resolveOwnTicket: Action = async ({ session: { call, entry }, random }) => {
  const ticket = random.pick(entry.tickets)
  if (!ticket) return
  const body = { state: 'resolved' as const }
  const resolved = await call(resolveTicket, { params: { id: ticket.id }, body })
  ticket.resolved.record(resolved, true)
}

const addCard: Action = async ({ session: { call, entry }, random }) => {
  // For one card in five the payment gateway charges without ever responding.
  const cardNumber = random.chance(0.2) ? timesOut : visa
  const added = await call(createPaymentMethod, { body: cardForm({ cardNumber }) })
  if (added.outcome === 'acknowledged') entry.cards.push(added.result.id)
}

const pay: Action = async ({ session: { call, entry }, random }) => {
  const paymentMethodId = random.pick(entry.cards)
  const unpaid = await call(listUnpaidInvoices, {})
  if (!paymentMethodId || unpaid.outcome !== 'acknowledged') return
  const invoiceIds = unpaid.result.slice(0, random.between(1, 3)).map(({ id }) => id)
  if (invoiceIds.length === 0) return
  const paid = await call(payInvoices, { body: { invoiceIds, paymentMethodId } })
  if (paid.outcome === 'acknowledged' && paid.result.state === 'succeeded')
    entry.payments.push({ id: paid.result.id, invoiceIds })
}

/** Records no acknowledged call: the database may be stopped. */
const ageUsage: Action = async ({ session: { entry }, product: { database } }) => {
  if (entry.isAged || entry.projects.length === 0) return
  entry.isAged = await ageUsageOf(database, entry.email).catch(() => false)
}

/** Issues the invoice of one user at once, or of all users in the background. */
const issueInvoices: Action = async ({
  session: { operator, entry },
  product,
  random,
  journal,
}) => {
  const user = await product.database.pool
    .query<{ id: UserId }>('select id from users where email = $1', [entry.email])
    .catch(() => undefined)
  const userId = random.chance(0.5) ? user?.rows[0]?.id : undefined
  const issued = await operator.call(issueAllInvoices, { body: { userId } })
  if (issued.outcome !== 'acknowledged') return
  const { run, invoices } = issued.result
  if (run) journal.runs.push(run.id)
  journal.invoices.push(...invoices.map(({ id }) => id))
}

const upload: Action = async (scene) => {
  const project = pickProject(scene)
  if (!project) return
  const text = newText()
  const zip = new Uint8Array(zipOf({ 'index.html': text }))
  const created = await scene.session.callUntilKnown(createRelease, {
    params: { id: project.id },
    query: {},
    body: new Blob([zip], { type: 'application/zip' }),
    idempotencyKey: randomUUID(),
  })
  if (created.outcome === 'acknowledged')
    project.releases.push({ id: created.result.id, number: created.result.number, text })
}

const rollBack: Action = async (scene) => {
  const project = pickProject(scene)
  const earlier = project && scene.random.pick(project.releases)
  if (!earlier) return
  const created = await scene.session.callUntilKnown(rollBackRelease, {
    params: { id: project.id },
    body: { number: earlier.number },
    idempotencyKey: randomUUID(),
  })
  if (created.outcome === 'acknowledged')
    project.releases.push({
      id: created.result.id,
      number: created.result.number,
      text: earlier.text,
    })
}

const visit: Action = async (scene) => {
  const project = pickProject(scene)
  if (!project) return
  const { journal, product } = scene
  const page = await sitePage(product.sitesPort, `${project.key}.localhost`).catch(() => undefined)
  const status = String(page?.status ?? 'no response')
  journal.visits.set(status, (journal.visits.get(status) ?? 0) + 1)
}

const read: Action = ({ session }) => session.call(listProjects, {})

const actions: [Action, weight: number][] = [
  [read, 4],
  [visit, 6],
  [renameUser, 2],
  [createNewProject, 2],
  [renameAProject, 4],
  [changeADomain, 3],
  [changeAPower, 3],
  [deleteAProject, 1],
  [openTicket, 1],
  [writeMessage, 3],
  [resolveOwnTicket, 1],
  [addCard, 1],
  [ageUsage, 2],
  [issueInvoices, 1],
  [upload, 2],
  [rollBack, 1],
  [pay, 3],
]
const weighted = actions.flatMap(([action, weight]) => Array.from({ length: weight }, () => action))

export const act = (scene: Scene) => scene.random.pick(weighted)?.(scene)
