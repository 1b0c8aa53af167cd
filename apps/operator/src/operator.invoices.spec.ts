import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
})
afterEach(() => cli.remove())

describe('operator issue', () => {
  it('starts to issue all invoices, and issuing shows how far that is', async () => {
    expect((await cli.run(['issuing'])).output).toBe(
      "The invoices of all customers haven't been issued at once yet. Start it with: issue\n",
    )
    const counts = '0 of 0+ customers done, 0 failed'
    expect((await cli.run(['issue'])).output).toContain(counts)
    expect((await cli.run(['issuing'])).output).toMatch(
      /^Issuing invoices \(started .*\): 0 of 0\+/,
    )
  })
})
