import { replyToTicket } from '@slipway/contract/operator'
import { changeTicketState } from '@slipway/contract/support'
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
  await service.remember(cli)
})
afterEach(() => cli.remove())

describe('operator tickets', () => {
  beforeEach(async () => {
    await service.world.ctx.db.delete(supportTickets)
  })

  it('lists who waits first, in aligned columns', async () => {
    const user = await service.world.user({ name: 'Ayşe O’Hara' })
    const done = await service.open(user, 'Solved')
    await user.call(changeTicketState, { params: { id: done.id }, body: { state: 'resolved' } })
    const { id } = await service.open(user, 'Sitem açılmıyor 網站')
    const { output } = await cli.run(['tickets'])
    expect(output.split('\n')).toEqual([
      'ID        State     Subject               From         Last update',
      `${id.slice(-8)}  Waiting   Sitem açılmıyor 網站  Ayşe O’Hara  just now`,
      `${done.id.slice(-8)}  Resolved  Solved                Ayşe O’Hara  just now`,
      '',
    ])
  })

  it('speaks Turkish where the terminal does', async () => {
    await service.open(await service.world.user(), 'Konu')
    const { output } = await cli.run(['tickets'], { LANG: 'tr_TR.UTF-8' })
    expect(output).toMatch(/^Kimlik +Durum +Konu +Gönderen +Son güncelleme\n\w{8} +Bekliyor/)
  })

  it('filters, searches and turns pages', async () => {
    const user = await service.world.user()
    for (let i = 1; i <= 11; i++) await service.open(user, `IŞIK ${i}`)
    expect((await cli.run(['tickets', '--state=resolved'])).output).toBe('No tickets.\n')
    expect((await cli.run(['tickets', '--search', 'ışık 11'])).output).toContain('IŞIK 11')
    const first = await cli.run(['tickets', '--state', 'open'])
    expect(first.output).toContain('Page 1 of 2')
    expect(first.output.trim().split('\n')).toHaveLength(13)
    expect((await cli.run(['tickets', '--page', '2'])).output).toContain('IŞIK 11')
    expect((await cli.run(['tickets', '--page', '3'])).output).toContain('There is no page 3')
  })

  it('lets nothing of a user reach the terminal but letters', async () => {
    const user = await service.world.user({
      name: 'Eve \u001b[31mred\u001b[0m \u202egnp.exe\u0007',
    })
    await service.open(user, 'Fine')
    const { output } = await cli.run(['tickets'], { FORCE_COLOR: '0' })
    expect(output).toContain('Eve  [31mred [0m gnp.exe')
    expect(output.replaceAll('\n', '')).not.toMatch(/[\p{Cf}\p{Cc}]/u)
  })

  it('colours a terminal alone, and not with NO_COLOR', async () => {
    await service.open(await service.world.user(), 'Colours')
    expect((await cli.run(['tickets'])).output).not.toContain('\u001b')
    expect((await cli.run(['tickets'], { FORCE_COLOR: '1' })).output).toContain('\u001b[33m')
  })
})

describe('operator ticket', () => {
  it('shows the thread, its lines as they were typed and wrapped', async () => {
    const user = await service.world.user({ name: 'Ada Example' })
    const message = `First line\n    code <b>\n\n${'word '.repeat(30)}`
    const { id } = await service.open(user, 'How it looks', message)
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

  it('says how many messages of a very long thread it does not show', async () => {
    const user = await service.world.user()
    const { id } = await service.open(user, 'A long story')
    const older = 'older messages'
    expect((await cli.run(['ticket', id])).output).not.toContain(older)
    await addOldMessages(service.world, user, id, 1001)
    const lines = (await cli.run(['ticket', id])).output.split('\n')
    expect(lines.slice(4, 6)).toEqual(['', `2 ${older}`])
    expect(lines).not.toContain('  Message 2')
    expect(lines).toContain('  Message 3')
  })

  it('shows all messages of a very long thread when asked to', async () => {
    const user = await service.world.user()
    const { id } = await service.open(user, 'A long story')
    await addOldMessages(service.world, user, id, 2100)
    const { output } = await cli.run(['ticket', id, '--all'])
    const shown = output.split('\n').filter((line) => line.startsWith('  Message '))
    expect(shown).toEqual(Array.from({ length: 2100 }, (_, index) => `  Message ${index + 1}`))
    expect(output).not.toContain('older messages')
  })

  it('takes eight characters or more of the end or the beginning of an id', async () => {
    const { id } = await service.open(await service.world.user(), 'By its end')
    for (const part of [id.slice(-8), `…${id.slice(-8)}`, id.slice(0, 30), id.toUpperCase()])
      expect((await cli.run(['ticket', part])).output, part).toContain('By its end')
    expect((await cli.run(['ticket', id.slice(-7)])).errors).toContain('at least eight characters')
    // What it is called is no part of its id.
    expect((await cli.run(['ticket', 'By its end'])).errors).toContain('Could not find the ticket')
  })

  it('says that there is none', async () => {
    const none = '01890a5d-ac96-774b-bcce-b302099a8057'
    expect(await cli.run(['ticket', none])).toEqual({
      code: 1,
      output: '',
      errors: 'Could not find the ticket\n',
    })
  })
})
