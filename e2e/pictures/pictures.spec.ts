import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The command of `npm run pictures`. */
const command = ['tools/run.mjs', 'e2e/pictures/main.ts']

test('npm run pictures saves the screens of some areas in one look, and an overview', async () => {
  // This test starts the product, and takes more pictures than another test opens pages.
  test.slow()
  const folder = test.info().outputPath('pictures')
  const args = [...command, folder, '--only=account,hosting', '--look=tr.dark.phone']
  await promisify(execFile)(process.execPath, args, { cwd: root })
  const files = await readdir(folder)
  const hosting = files.filter((file) => !/device|profile|tokens\.|account|index/.test(file))
  expect(hosting).toContain('site-uploading.tr.dark.phone.png')
  expect(files.filter((file) => !hosting.includes(file)).sort()).toEqual([
    'device.tr.dark.phone.png',
    'index.html',
    'profile-delete-toast.tr.dark.phone.png',
    'profile-saving-failed.tr.dark.phone.png',
    'profile.tr.dark.phone.png',
    'sheet-account-01.html',
    'sheet-account-01.png',
    'tokens.tr.dark.phone.png',
  ])
})
