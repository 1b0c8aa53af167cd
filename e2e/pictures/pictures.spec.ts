import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'

const program = fileURLToPath(new URL('../../tools/pictures.mjs', import.meta.url))

test('npm run pictures saves each screen of one area in one look, and an overview', async () => {
  const folder = test.info().outputPath('pictures')
  await promisify(execFile)(process.execPath, [
    program,
    folder,
    '--only=account',
    '--look=tr.dark.phone',
  ])
  const files = await readdir(folder)
  expect(files.sort()).toEqual([
    'index.html',
    'profile-delete-toast.tr.dark.phone.png',
    'profile-saving-failed.tr.dark.phone.png',
    'profile.tr.dark.phone.png',
    'sheet-account-01.html',
    'sheet-account-01.png',
  ])
})
