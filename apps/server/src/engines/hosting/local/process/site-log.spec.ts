import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createDataFolder } from '../../../../testing/data-folder.ts'
import { readLogTail } from './site-log.ts'

async function tailOf(text: string) {
  const path = join(await createDataFolder(), 'log')
  await writeFile(path, text)
  return readLogTail(path)
}

const error = (index: number) => `request ${index}\nFatal error: no flour\n#0 {main}\n`

describe('the last lines of a log', () => {
  it('contain a repeated message once, from its start', async () => {
    expect(await tailOf('Fatal error: no flour\n#0 {main}\n'.repeat(50))).toBe(
      'Fatal error: no flour\n#0 {main}',
    )
    const long = Array.from({ length: 5_000 }, (_, index) => error(index)).join('')
    const lines = (await tailOf(long)).split('\n')
    expect(lines.slice(-3)).toEqual(['request 4999', 'Fatal error: no flour', '#0 {main}'])
    expect(lines).toHaveLength(30)
  })

  it('are at most thirty, and short enough to be stored', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => `line ${index}`)
    expect(await tailOf(numbers.join('\n'))).toBe(numbers.slice(-30).join('\n'))
    expect((await tailOf('x'.repeat(100_000))).length).toBeLessThanOrEqual(4_000)
  })

  it('are empty without a log', async () => {
    expect(await readLogTail(join(await createDataFolder(), 'log'))).toBe('')
  })
})
