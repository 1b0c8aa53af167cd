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
  it('recreates a project whose files are missing, empty, once its key is typed', async () => {
    const { key } = await projectOf('data_missing')
    expect(await cli.run(['start-empty', key], { input: `${key}\n` })).toMatchObject({
      code: 0,
      output: `The site of Lost site (${key}) is being recreated, empty.\n`,
    })
    const second = await cli.run(['start-empty', key], { input: `${key}\n` })
    expect(second).toMatchObject({
      code: 1,
      errors: `The files of ${key} aren't missing. Nothing was changed.\n`,
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

describe('operator suspend and resume', () => {
  it('suspends a project, shows it with the note, and resumes it', async () => {
    const { key } = await projectOf(null)
    expect(
      await cli.run(['suspend', key, '--reason', 'abuse', '--note', 'Phishing, see ticket 12']),
    ).toMatchObject({
      code: 0,
      output: `Lost site (${key}) is suspended. The members of its team get an email.\n`,
    })
    const { output } = await cli.run(['project', key])
    expect(output.split('\n').slice(0, 3)).toEqual(['Lost site', key, 'Suspended · abuse · ready'])
    expect(output).toContain('\nPhishing, see ticket 12\n')
    expect((await cli.run(['resume', key])).output).toBe(
      `Lost site (${key}) is no longer suspended. Its site is starting.\n`,
    )
    expect((await cli.run(['project', key])).output).toContain('Running · modifying')
  })

  it('needs a key and a reason', async () => {
    const { key } = await projectOf(null)
    expect((await cli.run(['suspend'])).errors).toBe('Missing key: suspend KEY\n')
    for (const args of [[], ['--reason', 'mood']])
      expect((await cli.run(['suspend', key, ...args])).errors).toBe(
        'Missing reason: --reason must be one of unpaid, abuse.\n',
      )
    expect((await cli.run(['resume', 'nothing-bcdfgh'])).code).toBe(1)
  })
})
