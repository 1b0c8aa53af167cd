import type { Page } from '@playwright/test'

const prefix = 'loginState.'

/** The states of the external logins in the browser's localStorage. */
export const storedLogins = async (page: Page): Promise<string[]> => {
  const keys = await page.evaluate(() => Object.keys(localStorage))
  return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
}

export const storeLogin = (page: Page, state: string, record: string) =>
  page.evaluate(
    ([key = '', text = '']) => localStorage.setItem(key, text),
    [prefix + state, record],
  )

/** Every URL in the page's history. Under `no-referrer` Chromium hides the URLs from scripts. */
export async function urlsInHistory(page: Page): Promise<string[]> {
  const devTools = await page.context().newCDPSession(page)
  const { entries } = await devTools.send('Page.getNavigationHistory')
  await devTools.detach()
  return entries.map(({ url }) => url)
}
