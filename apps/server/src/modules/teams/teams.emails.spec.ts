import { inviteToTeam, updateTeam } from '@slipway/contract/teams'
import type { Locale } from '@slipway/phrases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** Sends an invitation by a user with this language; returns its email. */
async function sendInvitation(
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

describe('the email of an invitation', () => {
  it('names the inviter and the team, and links to the invitation and the console only', async () => {
    const invitee = await world.user({ name: 'Grace Example' })
    const { subject, text } = await sendInvitation(invitee.email)
    expect(subject).toBe("Ada O'Example invited you to the team “Example team”")
    expect(text).toContain('Hello Grace Example,')
    expect(text).toContain(`This invitation is for ${invitee.email}.`)
    const links = text.match(/https?:\S+/g)
    const address = encodeURIComponent(invitee.email)
    const { PUBLIC_URL } = world.env
    expect(links).toEqual([`${PUBLIC_URL}/teams/invitations?email=${address}`, PUBLIC_URL])
  })

  it('tells an address without an account to sign up', async () => {
    const { text } = await sendInvitation('no.account@example.com')
    expect(text).toMatch(/^Hello,\n/)
    expect(text).toContain('sign up with no.account@example.com')
  })

  it.each([
    ['en', 'choose “Continue with Google” on the login page and use first=tag@example.com'],
    ['tr', '“Google ile devam et” seçeneğini seçip birinci=etiket@example.com adresini kullanın'],
  ] as const)(
    'tells an address that cannot sign up, in %s, to log in with the provider',
    async (locale, instruction) => {
      const { text } = await sendInvitation(/\S+@\S+/.exec(instruction)?.[0] ?? '', locale)
      expect(text).toContain(instruction)
      expect(text).not.toMatch(/sign up with|adresiyle kaydolun/)
    },
  )

  it('encodes the address in the link', async () => {
    const email = "o'hara+teams&x=%41/@example.com"
    const { text } = await sendInvitation(email)
    const [link = ''] = text.match(/https?:\S+/) ?? []
    expect(new URL(link).searchParams.get('email')).toBe(email)
  })

  it.each([
    ['the invitee’s', 'tr', 'en', 'Merhaba Grace Example,', 'Daveti görüntüle'],
    ['the invitee’s', 'en', 'tr', 'Hello Grace Example,', 'View invitation'],
  ] as const)(
    'is in %s language %s when the inviter’s is %s',
    async (_whose, inviteesLocale, invitersLocale, greeting, action) => {
      const invitee = await world.user({ name: 'Grace Example', locale: inviteesLocale })
      const { text } = await sendInvitation(invitee.email, invitersLocale)
      expect(text).toContain(greeting)
      expect(text).toContain(action)
    },
  )

  it('is in the inviter’s language for an address without an account', async () => {
    const { subject, text } = await sendInvitation('hesap.yok@example.com', 'tr')
    expect(subject).toBe("Ada O'Example sizi “Example team” adlı ekibe davet etti")
    expect(text).toMatch(/^Merhaba,\n/)
    expect(text).toContain('hesap.yok@example.com adresiyle kaydolun')
  })

  it('contains nothing of an unverified account with the address', async () => {
    const stranger = await world.user({ name: 'Win a prize', locale: 'tr', verified: false })
    const { text } = await sendInvitation(stranger.email)
    expect(text).toMatch(/^Hello,\n/)
    expect(text).toContain(`sign up with ${stranger.email}`)
    expect(text).not.toMatch(/Win a prize|Accept or reject/)
  })

  it('does not turn a name into a link', async () => {
    const invitee = await world.user({ name: 'www.c.example' })
    const { subject, text, html } = await sendInvitation(invitee.email, 'en', {
      team: 'https://a.example/win',
      inviter: 'b.example',
    })
    for (const part of [subject, text, html])
      expect(part).not.toMatch(/https:\/\/a|[abc]\.example|www\.c/)
    expect(subject.replaceAll('\u200a', '')).toBe(
      'b.example invited you to the team “https://a.example/win”',
    )
  })

  it('escapes markup in a name', async () => {
    const { subject, text, html } = await sendInvitation('markup@example.com', 'en', {
      team: '<b>Çağrı & Co</b>',
    })
    expect(subject).toContain('“<b>Çağrı & Co</b>”')
    expect(text).toContain('“<b>Çağrı & Co</b>”')
    expect(html).toContain('“&lt;b&gt;Çağrı &amp; Co&lt;/b&gt;”')
    expect(html).toContain('Ada O&#39;Example')
    expect(html).not.toContain('<b>')
  })
})
