import type { Page } from '@playwright/test'

const prefix = 'loginState.'

/** The states of the outside logins that the page's browser remembers. */
export const storedLogins = async (page: Page): Promise<string[]> => {
  const keys = await page.evaluate(() => Object.keys(localStorage))
  return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
}

/** Makes the page's browser remember an outside login by that text. */
export const storeLogin = (page: Page, state: string, record: string) =>
  page.evaluate(
    ([key = '', text = '']) => localStorage.setItem(key, text),
    [prefix + state, record],
  )

/** Every address that the page can go back and forward to. Chromium tells scripts none, for want of a referrer. */
export async function urlsInHistory(page: Page): Promise<string[]> {
  const devTools = await page.context().newCDPSession(page)
  const { entries } = await devTools.send('Page.getNavigationHistory')
  await devTools.detach()
  return entries.map(({ url }) => url)
}
