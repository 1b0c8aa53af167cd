import { type BrowserContext, chromium } from '@playwright/test'
import { findChromium } from '../../tools/chromium.mjs'

/** The machine's Chromium. Root may not use its sandbox. */
export async function startBrowser(args: readonly string[] = []) {
  return chromium.launch({
    executablePath: await findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...args],
  })
}

/** Signs in every page of the context, as the console remembers it, with the banner agreed to. */
export const signIn = (context: BrowserContext, token: string) =>
  context.addInitScript(
    `localStorage.setItem('token', ${JSON.stringify(token)}); localStorage.setItem('openAlphaAgreed', 'yes')`,
  )
