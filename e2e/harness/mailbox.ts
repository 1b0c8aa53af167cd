import { until } from '../../apps/server/src/testing/until.ts'

async function fetchPage(url: string) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} responded ${response.status}`)
  return response.text()
}

/** The pages of the emails to an address, newest first. */
async function emailsTo(url: string, recipient: string) {
  const list = await fetchPage(`${url}/mailbox`)
  const items = list.split('<li>').filter((item) => item.includes(`>${recipient}<`))
  return Promise.all(
    items.map((item) =>
      fetchPage(url + (/href="(\/mailbox\/[^"]+)"/.exec(item)?.[1] ?? '/mailbox')),
    ),
  )
}

/**
 * Waits for an email with a link to `/auth/<to>` on the mailbox page, and returns the newest link's
 * token.
 */
export const mailedToken = (url: string, recipient: string, to: 'verify' | 'reset-password') =>
  until(async () => {
    for (const mail of await emailsTo(url, recipient)) {
      const token = new RegExp(`/auth/${to}\\?token=([\\w-]+)`).exec(mail)?.[1]
      if (token) return token
    }
    return undefined
  })

/** Waits for an email whose page contains `part`, and returns the newest one's HTML. */
export const mailedText = (url: string, recipient: string, part: string) =>
  until(async () => {
    const mails = await emailsTo(url, recipient)
    return mails.find((mail) => mail.includes(part))
  })
