import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { removeTree } from './remove-tree.ts'
import { createDataFolder } from './testing/data-folder.ts'

/** Requests of this process to the file system that have not ended. */
const fileRequests = () =>
  process.getActiveResourcesInfo().filter((name) => name.startsWith('FSReq')).length

describe('the deletion of a folder', () => {
  it('is without effect when the folder does not exist', async () => {
    const missing = join(await createDataFolder(), 'missing')
    await expect(removeTree(missing)).resolves.toBeUndefined()
  })

  it('deletes many files in one folder without a request for each at once', async () => {
    const folder = join(await createDataFolder(), '-site')
    mkdirSync(folder)
    for (let file = 0; file < 3_000; file++) writeFileSync(join(folder, `${file}`), '')
    let isRunning = true
    let most = 0
    const removed = removeTree(folder).finally(() => {
      isRunning = false
    })
    while (isRunning) {
      most = Math.max(most, fileRequests())
      await setImmediate()
    }
    await removed
    expect(existsSync(folder)).toBe(false)
    expect(most).toBeLessThan(100)
  })
})
