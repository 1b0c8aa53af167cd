import type { Browser } from '@playwright/test'
import { hour } from '@slipway/contract/limits'
import { connectTo, insertProject } from '../harness/database.ts'
import { createOperator } from '../harness/operator.ts'
import { createUser, ownTeam } from '../harness/user.ts'
import { createExampleUsage } from './billing-pictures.ts'
import { insertExampleEmails } from './email-pictures.ts'
import { insertActivity } from './example-activity.ts'
import { createExampleHosting } from './example-hosting.ts'
import { createExampleImages } from './example-images.ts'
import { createExampleProjects } from './example-projects.ts'
import { createExampleTeams } from './example-teams.ts'
import { createExampleTickets } from './example-tickets.ts'
import { createExampleInvoices } from './invoice-pictures.ts'

export type ExampleData = Awaited<ReturnType<typeof createExampleData>>

/** Creates the users whose screens are pictured, and their data. */
export async function createExampleData(url: string, dataDir: string, browser: Browser) {
  const database = connectTo(dataDir)
  const { user: member, keyOf, idOf } = await createExampleProjects(url, database, browser)
  const operator = await createOperator(url)
  const ticketIdOf = await createExampleTickets(database, member, operator.call)
  const teamIds = await createExampleTeams(url, database, member)
  await createExampleUsage(database, member, idOf)
  const payer = await createUser(url)
  const invoiceIds = await createExampleInvoices(database, payer)
  const host = await createUser(url)
  const hosting = await createExampleHosting(database, dataDir, host, browser)
  const shipper = await createUser(url)
  const images = await createExampleImages(database, shipper)
  const withManyProjects = await createUser(url)
  const { id: teamId } = await ownTeam(withManyProjects)
  for (let number = 1; number <= 300; number++)
    await insertProject(database, {
      teamId,
      state: number % 9 === 0 ? 'failed_creating' : 'ready',
      name: `Branch ${number}`,
      createdAt: new Date(Date.now() - (301 - number) * hour),
    })
  const withoutData = await createUser(url)
  const unverified = await createUser(url, { verified: false })
  await insertActivity(database, member, idOf)
  const emailPaths = await insertExampleEmails(database)
  await database.close()
  return {
    users: { member, host, shipper, payer, withManyProjects, withoutData, unverified },
    keyOf,
    hosting,
    images,
    ticketIdOf,
    teamIds,
    invoiceIds,
    emailPaths,
    emptyTeamId: (await ownTeam(withoutData)).id,
  }
}
