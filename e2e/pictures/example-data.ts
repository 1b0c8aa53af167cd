import { hour } from '@slipway/contract/limits'
import { connectTo, insertProject } from '../harness/database.ts'
import { createOperator } from '../harness/operator.ts'
import { createPerson, ownTeam } from '../harness/user.ts'
import { createExampleUsage } from './billing-pictures.ts'
import { createExample } from './example-projects.ts'
import { createExampleTeams } from './example-teams.ts'
import { createExampleTickets } from './example-tickets.ts'
import { createExampleInvoices } from './invoice-pictures.ts'

export type Cast = Awaited<ReturnType<typeof createCast>>

/** Everybody whose screens are pictured, with what they have. */
export async function createCast(url: string, dataDir: string) {
  const database = connectTo(dataDir)
  const { person: member, keyOf } = await createExample(url, database)
  const operator = await createOperator(url)
  const ticketIdOf = await createExampleTickets(database, member, operator.call)
  const teamIds = await createExampleTeams(url, database, member)
  await createExampleUsage(database, member)
  const payer = await createPerson(url)
  const invoiceIds = await createExampleInvoices(database, payer)
  const collector = await createPerson(url)
  const { id: teamId } = await ownTeam(collector)
  for (let number = 1; number <= 300; number++)
    await insertProject(database, {
      teamId,
      state: number % 9 === 0 ? 'failed_creating' : 'ready',
      name: `Branch ${number}`,
      createdAt: new Date(Date.now() - (301 - number) * hour),
    })
  const empty = await createPerson(url)
  const waiting = await createPerson(url, { verified: false })
  await database.close()
  return {
    people: { member, payer, collector, empty, waiting },
    keyOf,
    ticketIdOf,
    teamIds,
    invoiceIds,
    emptyTeamId: (await ownTeam(empty)).id,
  }
}
