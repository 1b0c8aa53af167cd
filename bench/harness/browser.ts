import { type BrowserContext, chromium } from '@playwright/test'
import { findChromium } from '../../tools/chromium.mjs'

/** Starts the machine's Chromium. Root cannot use its sandbox. */
export async function startBrowser(args: readonly string[] = []) {
  return chromium.launch({
    executablePath: await findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...args],
  })
}

/** Stores the session and the banner's dismissal in every page of the context. */
export const storeSession = (context: BrowserContext, token: string) =>
  context.addInitScript(
    `localStorage.setItem('token', ${JSON.stringify(token)}); localStorage.setItem('openAlphaAgreed', 'yes')`,
  )
