import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { storeFailedEmail } from '../../server/src/modules/mail/mail.fixture.ts'
import { mails } from '../../server/src/modules/mail/mail.schema.ts'
import { type Cli, createCli, createService, type Service } from './cli.fixture.ts'

let service: Service
let cli: Cli
beforeAll(async () => {
  service = await createService()
})
afterAll(() => service.close())
beforeEach(async () => {
  cli = await createCli({ SLIPWAY_URL: service.url })
  await service.storeSession(cli)
  await service.world.ctx.db.delete(mails)
})
afterEach(() => cli.remove())

const statesOf = async () =>
  (await service.world.ctx.db.select().from(mails)).map(({ state }) => state)

describe('operator emails', () => {
  it('lists undelivered emails with the reason', async () => {
    const { id } = await storeFailedEmail(service.world)
    expect((await cli.run(['emails'])).output.split('\n')).toEqual([
      'ID        State   To                  Subject   Attempts  Created   Reason',
      `${id.slice(-8)}  Failed  reader@example.com  An email  1         just now  550 no such user`,
      '',
    ])
    expect((await cli.run(['emails', '--state', 'queued'])).output).toBe('No undelivered emails.\n')
  })
})

describe('operator retry', () => {
  it('tries one email again, found by the end of its id', async () => {
    const { id } = await storeFailedEmail(service.world)
    expect((await cli.run(['retry', 'ffffffff'])).errors).toContain(
      'No undelivered email has the id',
    )
    expect((await cli.run(['retry', id.slice(-8)])).output).toBe(
      'The email to reader@example.com will be sent again.\n',
    )
    expect(await statesOf()).toEqual(['queued'])
  })

  it('tries all failed emails again', async () => {
    for (let i = 0; i < 3; i++) await storeFailedEmail(service.world)
    expect((await cli.run(['retry', '--all'])).output).toBe('3 emails will be sent again.\n')
    expect(await statesOf()).toEqual(['queued', 'queued', 'queued'])
  })
})
