import { until } from '../../apps/server/src/testing/until.ts'

async function page(url: string) {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return answer.text()
}

/** The pages of the mails to an address, the newest first. */
async function mailsTo(url: string, recipient: string) {
  const list = await page(`${url}/mailbox`)
  const items = list.split('<li>').filter((item) => item.includes(`>${recipient}<`))
  return Promise.all(
    items.map((item) => page(url + (/href="(\/mailbox\/[^"]+)"/.exec(item)?.[1] ?? '/mailbox'))),
  )
}

/**
 * The token of the newest link to `/auth/<to>` that was mailed to an address, as the mailbox pages show
 * it. Waits for the mail.
 */
export const mailedToken = (url: string, recipient: string, to: 'verify' | 'reset-password') =>
  until(async () => {
    for (const mail of await mailsTo(url, recipient)) {
      const token = new RegExp(`/auth/${to}\\?token=([\\w-]+)`).exec(mail)?.[1]
      if (token) return token
    }
    return undefined
  })

/** The text of the newest mail to an address whose page has `part` in it. Waits for the mail. */
export const mailedText = (url: string, recipient: string, part: string) =>
  until(async () => {
    const mails = await mailsTo(url, recipient)
    return mails.find((mail) => mail.includes(part))
  })
