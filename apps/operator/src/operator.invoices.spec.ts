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
  it('starts to issue all invoices, and `issuing` shows the progress', async () => {
    expect((await cli.run(['issuing'])).output).toBe(
      'No run has issued the invoices of all customers yet. Start one with: issue\n',
    )
    const counts = '0 of 0+ customers done, 0 failed'
    expect((await cli.run(['issue'])).output).toContain(counts)
    expect((await cli.run(['issuing'])).output).toMatch(
      /^Issuing invoices \(started .*\): 0 of 0\+/,
    )
  })
})
