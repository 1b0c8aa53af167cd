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

const projectOf = async (failure: 'data_missing' | null) => {
  const { teamId } = await service.world.user()
  return service.world.project({ teamId, name: 'Lost site', failure })
}

describe('operator start-empty', () => {
  it('has a project without its files start empty once its key is typed', async () => {
    const { key } = await projectOf('data_missing')
    expect(await cli.run(['start-empty', key], { input: `${key}\n` })).toMatchObject({
      code: 0,
      output: `The site of Lost site (${key}) is being recreated, empty.\n`,
    })
    const again = await cli.run(['start-empty', key], { input: `${key}\n` })
    expect(again).toMatchObject({
      code: 1,
      errors: `The files of ${key} are not missing. Nothing was changed.\n`,
    })
  })

  it('does nothing without the confirmation', async () => {
    const { key } = await projectOf('data_missing')
    for (const input of ['', '\n', 'yes\n', `${key}x\n`])
      expect(await cli.run(['start-empty', key], { input })).toMatchObject({
        code: 1,
        errors: `Nothing was changed. To confirm, type the key: ${key}\n`,
      })
    expect((await cli.run(['start-empty'])).errors).toBe('Missing key: start-empty KEY\n')
    expect((await cli.run(['start-empty', key], { input: `${key}\n` })).code).toBe(0)
  })
})
