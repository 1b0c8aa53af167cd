import { inviteToTeam, updateTeam } from '@slipway/contract/teams'
import type { Locale } from '@slipway/phrases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** The mail of an invitation by somebody who uses the console in that language. */
async function mailed(
  email: string,
  locale: Locale = 'en',
  { team = 'Example team', inviter = "Ada O'Example" } = {},
) {
  const owner = await world.user({ name: inviter, locale })
  const body = { name: team }
  await owner.call(updateTeam, { params: { id: owner.teamId }, body })
  await owner.call(inviteToTeam, { body: { teamId: owner.teamId, email } })
  const [mail] = await world.mailsTo(email)
  return { subject: mail?.subject ?? '', text: mail?.text ?? '', html: mail?.html ?? '' }
}

describe('the letter of an invitation', () => {
  it('says who invites to which team, and only links', async () => {
    const invitee = await world.user({ name: 'Grace Example' })
    const { subject, text } = await mailed(invitee.email)
    expect(subject).toBe("Ada O'Example invited you to the team “Example team”")
    expect(text).toContain('Hello Grace Example,')
    expect(text).toContain(`This invitation is for ${invitee.email}.`)
    const links = text.match(/https?:\S+/g)
    const address = encodeURIComponent(invitee.email)
    expect(links).toEqual([`${world.env.PUBLIC_URL}/teams/invitations?email=${address}`])
  })

  it('tells an address without an account to sign up with it', async () => {
    const { text } = await mailed('no.account@example.com')
    expect(text).toMatch(/^Hello,\n/)
    expect(text).toContain('Sign up with no.account@example.com')
  })

  it.each([
    ['en', 'choose “Continue with Google” on the login page and use first+tag@example.com'],
    ['tr', '“Google ile devam et” seçeneğini seçip birinci+etiket@example.com adresini kullanın'],
  ] as const)(
    'tells an address that cannot sign up, in %s, who lets it in',
    async (locale, way) => {
      const { text } = await mailed(/\S+@\S+/.exec(way)?.[0] ?? '', locale)
      expect(text).toContain(way)
      expect(text).not.toMatch(/Sign up with|kaydolup/)
    },
  )

  it('keeps whatever an address has in its link', async () => {
    const email = "o'hara+teams&x=%41/@example.com"
    const { text } = await mailed(email)
    const [link = ''] = text.match(/https?:\S+/) ?? []
    expect(new URL(link).searchParams.get('email')).toBe(email)
  })

  it.each([
    ['the invitee’s', 'tr', 'en', 'Merhaba Grace Example,', 'Daveti görüntüle'],
    ['the invitee’s', 'en', 'tr', 'Hello Grace Example,', 'View invitation'],
  ] as const)(
    'is in %s language: %s, while the inviter’s is %s',
    async (_whose, theirs, inviters, greeting, action) => {
      const invitee = await world.user({ name: 'Grace Example', locale: theirs })
      const { text } = await mailed(invitee.email, inviters)
      expect(text).toContain(greeting)
      expect(text).toContain(action)
    },
  )

  it('is in the inviter’s language for an address without an account', async () => {
    const { subject, text } = await mailed('hesap.yok@example.com', 'tr')
    expect(subject).toBe("Ada O'Example sizi “Example team” adlı ekibe davet etti")
    expect(text).toMatch(/^Merhaba,\n/)
    expect(text).toContain('hesap.yok@example.com adresiyle kaydolup')
  })

  it('has nothing of whoever signed up with the address and never verified it', async () => {
    const stranger = await world.user({ name: 'Win a prize', locale: 'tr', verified: false })
    const { text } = await mailed(stranger.email)
    expect(text).toMatch(/^Hello,\n/)
    expect(text).toContain(`Sign up with ${stranger.email}`)
    expect(text).not.toMatch(/Win a prize|Accept or reject/)
  })

  it('makes no address of a name', async () => {
    const invitee = await world.user({ name: 'www.c.example' })
    const { subject, text, html } = await mailed(invitee.email, 'en', {
      team: 'https://a.example/win',
      inviter: 'b.example',
    })
    for (const part of [subject, text, html])
      expect(part).not.toMatch(/https:\/\/a|[abc]\.example|www\.c/)
    expect(subject.replaceAll('\u200a', '')).toBe(
      'b.example invited you to the team “https://a.example/win”',
    )
  })

  it('shows markup in a name as what was typed', async () => {
    const { subject, text, html } = await mailed('markup@example.com', 'en', {
      team: '<b>Çağrı & Co</b>',
    })
    expect(subject).toContain('“<b>Çağrı & Co</b>”')
    expect(text).toContain('“<b>Çağrı & Co</b>”')
    expect(html).toContain('“&lt;b&gt;Çağrı &amp; Co&lt;/b&gt;”')
    expect(html).toContain('Ada O&#39;Example')
    expect(html).not.toContain('<b>')
  })
})
