import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { findChromium } from '../tools/chromium.mjs'
import { useMemoryFolder } from '../tools/memory-folder.mjs'

process.env.CHROMIUM_PATH ||= await findChromium()
useMemoryFolder()

export default defineConfig({
  testDir: '.',
  outputDir: fileURLToPath(new URL('../node_modules/.cache/slipway/e2e', import.meta.url)),
  // In place of `webServer`: the run also fails if the server logs an error, stores a card number
  // or exits with an error.
  globalSetup: './harness/global.setup.ts',
  fullyParallel: true,
  // One more than the cores of a small machine, because workers often wait for the server.
  workers: 3,
  // A flaky test is a defect.
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  // Long enough for a busy machine: these only end tests that hang.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    actionTimeout: 20_000,
    baseURL: process.env.E2E_URL,
    locale: 'en-GB',
    timezoneId: 'Europe/Istanbul',
    colorScheme: 'light',
    viewport: { width: 1280, height: 800 },
    // No animations during assertions; `motion.spec.ts` tests them.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // `TRACE=1` records a trace of each failure; recording takes a fifth of the time.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      // Every subdomain of example.com resolves to this machine, as its DNS would.
      args: ['--host-resolver-rules=MAP *.example.com 127.0.0.1'],
    },
  },
})
