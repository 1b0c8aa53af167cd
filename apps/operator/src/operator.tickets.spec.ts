import { replyToTicket } from '@slipway/contract/operator'
import { resolveTicket } from '@slipway/contract/support'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addOldMessages } from '../../server/src/modules/support/support.fixture.ts'
import { supportTickets } from '../../server/src/modules/support/support.schema.ts'
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

describe('operator tickets', () => {
  beforeEach(async () => {
    await service.world.ctx.db.delete(supportTickets)
  })

  it('lists tickets that wait for a reply first, in aligned columns', async () => {
    const user = await service.world.user({ name: 'Ayşe O’Hara' })
    const done = await service.openTicket(user, 'Solved')
    await user.call(resolveTicket, { params: { id: done.id }, body: { state: 'resolved' } })
    const { id } = await service.openTicket(user, 'Sitem açılmıyor 網站')
    const { output } = await cli.run(['tickets'])
    expect(output.split('\n')).toEqual([
      'ID        State     Subject               From         Last update',
      `${id.slice(-8)}  Waiting   Sitem açılmıyor 網站  Ayşe O’Hara  just now`,
      `${done.id.slice(-8)}  Resolved  Solved                Ayşe O’Hara  just now`,
      '',
    ])
  })

  it('is in Turkish in a Turkish terminal', async () => {
    await service.openTicket(await service.world.user(), 'Konu')
    const { output } = await cli.run(['tickets'], { LANG: 'tr_TR.UTF-8' })
    expect(output).toMatch(/^Kimlik \(ID\) +Durum +Konu +Gönderen +Son güncelleme\n\w{8} +Bekliyor/)
  })

  it('filters, searches and paginates', async () => {
    const user = await service.world.user()
    for (let i = 1; i <= 11; i++) await service.openTicket(user, `IŞIK ${i}`)
    expect((await cli.run(['tickets', '--state=resolved'])).output).toBe('No tickets.\n')
    expect((await cli.run(['tickets', '--search', 'ışık 11'])).output).toContain('IŞIK 11')
    const first = await cli.run(['tickets', '--state', 'open'])
    expect(first.output).toContain('Page 1 of 2')
    expect(first.output.trim().split('\n')).toHaveLength(13)
    expect((await cli.run(['tickets', '--page', '2'])).output).toContain('IŞIK 11')
    expect((await cli.run(['tickets', '--page', '3'])).output).toContain('There is no page 3')
  })

  it('removes control characters from the texts of users', async () => {
    const user = await service.world.user({
      name: 'Eve \u001b[31mred\u001b[0m \u202egnp.exe\u0007',
    })
    await service.openTicket(user, 'Fine')
    const { output } = await cli.run(['tickets'], { FORCE_COLOR: '0' })
    expect(output).toContain('Eve  [31mred [0m gnp.exe')
    expect(output.replaceAll('\n', '')).not.toMatch(/[\p{Cf}\p{Cc}]/u)
  })

  it('has colors only on a terminal', async () => {
    await service.openTicket(await service.world.user(), 'Colors')
    expect((await cli.run(['tickets'])).output).not.toContain('\u001b')
    expect((await cli.run(['tickets'], { FORCE_COLOR: '1' })).output).toContain('\u001b[33m')
  })
})

describe('operator ticket', () => {
  it('shows the thread with its line breaks, wrapped', async () => {
    const user = await service.world.user({ name: 'Ada Example' })
    const message = `First line\n    code <b>\n\n${'word '.repeat(30)}`
    const { id } = await service.openTicket(user, 'How it looks', message)
    await service.operator.call(replyToTicket, { params: { id }, body: { text: 'Looking at it.' } })
    const { output } = await cli.run(['ticket', id])
    const lines = output.split('\n')
    expect(lines.slice(0, 4)).toEqual([
      'How it looks',
      `Ada Example <${user.email}>`,
      'Open · opened just now',
      id,
    ])
    expect(lines[5]).toMatch(/^Ada Example just now · /)
    expect(lines.slice(6, 11)).toEqual([
      '  First line',
      '      code <b>',
      '',
      `  ${'word '.repeat(19).trim()}`,
      `  ${'word '.repeat(11).trim()}`,
    ])
    expect(lines[12]).toMatch(/^Support Team just now · /)
    expect(lines[13]).toBe('  Looking at it.')
  })

  it('shows the number of hidden messages of a long thread', async () => {
    const user = await service.world.user()
    const { id } = await service.openTicket(user, 'A long story')
    const hiddenNotice = 'older messages'
    expect((await cli.run(['ticket', id])).output).not.toContain(hiddenNotice)
    await addOldMessages(service.world, user, id, 1001)
    const lines = (await cli.run(['ticket', id])).output.split('\n')
    expect(lines.slice(4, 6)).toEqual(['', `2 ${hiddenNotice}`])
    expect(lines).not.toContain('  Message 2')
    expect(lines).toContain('  Message 3')
  })

  it('shows all messages of a long thread with --all', async () => {
    const user = await service.world.user()
    const { id } = await service.openTicket(user, 'A long story')
    await addOldMessages(service.world, user, id, 2100)
    const { output } = await cli.run(['ticket', id, '--all'])
    const shown = output.split('\n').filter((line) => line.startsWith('  Message '))
    expect(shown).toEqual(Array.from({ length: 2100 }, (_, index) => `  Message ${index + 1}`))
    expect(output).not.toContain('older messages')
  })

  it('accepts eight or more characters of the start or end of an id', async () => {
    const { id } = await service.openTicket(await service.world.user(), 'By its end')
    for (const part of [id.slice(-8), `…${id.slice(-8)}`, id.slice(0, 30), id.toUpperCase()])
      expect((await cli.run(['ticket', part])).output, part).toContain('By its end')
    expect((await cli.run(['ticket', id.slice(-7)])).errors).toContain('at least eight characters')
    // A subject is not searched.
    expect((await cli.run(['ticket', 'By its end'])).errors).toContain('Could not find the ticket')
  })

  it('rejects an unknown id', async () => {
    const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'
    expect(await cli.run(['ticket', unknownId])).toEqual({
      code: 1,
      output: '',
      errors: 'Could not find the ticket\n',
    })
  })
})
