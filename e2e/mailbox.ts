import { until } from '../apps/server/src/testing/until.ts'

async function page(url: string) {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return answer.text()
}

/**
 * The token of the newest link to `/auth/<to>` that was mailed to an address, as the mailbox pages show
 * it. Waits for the mail.
 */
export const mailedToken = (url: string, recipient: string, to: 'verify' | 'reset-password') =>
  until(async () => {
    const list = await page(`${url}/mailbox`)
    const items = list.split('<li>').filter((item) => item.includes(`>${recipient}<`))
    for (const item of items) {
      const mail = await page(url + (/href="(\/mailbox\/[^"]+)"/.exec(item)?.[1] ?? '/mailbox'))
      const token = new RegExp(`/auth/${to}\\?token=([\\w-]+)`).exec(mail)?.[1]
      if (token) return token
    }
    return undefined
  })
