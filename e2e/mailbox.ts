async function page(url: string) {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return answer.text()
}

/** The token in the newest mail to an address, as the mailbox pages show it. */
export async function mailedToken(url: string, recipient: string) {
  const list = await page(`${url}/mailbox`)
  const item = list.split('<li>').find((part) => part.includes(`>${recipient}<`))
  const path = /href="(\/mailbox\/[^"]+)"/.exec(item ?? '')?.[1]
  if (!path) throw new Error(`there is no mail to ${recipient}`)
  const token = /[?&]token=([\w-]+)/.exec(await page(url + path))?.[1]
  if (!token) throw new Error(`the mail to ${recipient} has no link`)
  return token
}
