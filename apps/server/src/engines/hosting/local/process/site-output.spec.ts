import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createErrorLog } from '../../../../logs/error-log.ts'
import { maxLinesAtOnce } from '../../../../logs/log-record.ts'
import { createDataFolder } from '../../../../testing/data-folder.ts'
import { createLogBook } from '../../../../testing/log-book.ts'
import { openSiteLog } from './site-log.ts'
import { siteNotes } from './site-notes.ts'
import { createSiteOutput, type OutputLog } from './site-output.ts'

type Line = Parameters<OutputLog['add']>[2]

/** `flush` runs between the read and the cut of a file. */
async function watchOutput(flush = async (_path: string): Promise<void> => undefined) {
  const folder = await createDataFolder()
  const path = join(folder, 'site.log')
  const lines: Line[] = []
  const open = () => {
    const output = createSiteOutput(
      { add: (_key, _source, line) => lines.push(line), flush: () => flush(path) },
      createLogBook().log,
    )
    onTestFinished(() => output.close())
    return { ...output, collect: () => output.collect(new Map([['site', path]])) }
  }
  return { path, lines, texts: () => lines.map(({ text }) => text), open }
}

/** Starts a script whose output goes to the file, like a site's. The file then exists. */
async function startSite(path: string, script: string) {
  const log = await openSiteLog(path)
  const site = spawn(process.execPath, ['-e', script], { stdio: ['ignore', log.fd, log.fd] })
  const exited = once(site, 'exit')
  await log.close()
  return { exited }
}

/** Lets no program be found, so that files cannot be cut in place. */
const hidePrograms = () => {
  vi.stubEnv('PATH', '/nonexistent')
  onTestFinished(() => void vi.unstubAllEnvs())
}

const run = promisify(execFile)

/** Whether the file system of the data folders can remove the first bytes of a file. */
const canCutInPlace = async () => {
  const path = join(await createDataFolder(), 'probe')
  await writeFile(path, Buffer.alloc(2 ** 17))
  const range = ['--collapse-range', '--offset', '0', '--length', `${2 ** 16}`]
  return run('fallocate', [...range, path]).then(
    () => true,
    () => false,
  )
}

/** 1.2 MB in lines of 1 KB. */
const manyLines = `${'x'.repeat(1023)}\n`.repeat(1200)

const runSite = async (path: string, script: string) => (await startSite(path, script)).exited

describe('the output of a site', () => {
  it('has a line for each line that it printed, with the time', async () => {
    const { path, lines, texts, open } = await watchOutput()
    const startedAt = Date.now()
    await runSite(path, `console.log('one'); console.error('two\\nthree')`)
    await open().collect()
    expect(texts()).toEqual(['one', 'two', 'three'])
    for (const { time } of lines) {
      expect(time).toBeGreaterThanOrEqual(startedAt - 10)
      expect(time).toBeLessThanOrEqual(Date.now())
    }
  })

  it('loses no line while its file is cut under a site that prints without a pause', async () => {
    const { path, texts, open } = await watchOutput()
    const output = open()
    const count = 60_000
    let isRunning = true
    const site = await startSite(
      path,
      `const fs = require('node:fs')
      for (let n = 0; n < ${count}; n++) fs.writeSync(1, n + ' ' + 'x'.repeat(150) + '\\n')`,
    )
    const running = site.exited.then(() => {
      isRunning = false
    })
    let largest = 0
    while (isRunning) {
      await output.collect()
      largest = Math.max(largest, (await stat(path)).size)
    }
    await running
    await output.finish('site', path)
    expect(texts().map((text) => Number(text.split(' ')[0]))).toEqual(
      Array.from({ length: count }, (_, index) => index),
    )
    expect(largest).toBeLessThan(count * 155)
    expect((await stat(path)).size).toBe(0)
  })

  it('the next server reads once what a site printed while none ran', async () => {
    const { path, texts, open } = await watchOutput()
    const before = open()
    await runSite(path, `console.log('before')`)
    await before.collect()
    await before.close()
    await runSite(path, `console.log('meanwhile')`)
    const after = open()
    await after.collect()
    await after.collect()
    expect(texts()).toEqual(['before', 'meanwhile'])
  })

  it('is read to its end when its file is replaced by that of a new process', async () => {
    const { path, texts, open } = await watchOutput()
    const output = open()
    const old = await openSiteLog(path)
    await old.appendFile('old one\n')
    await output.collect()
    await writeFile(`${path}.new`, 'new one\n')
    await rename(`${path}.new`, path)
    await old.appendFile('old two\n')
    await output.collect()
    await old.close()
    expect(texts().sort()).toEqual(['new one', 'old one', 'old two'])
  })

  it('waits for the end of a line, and shows a prompt that has none', async () => {
    const { path, texts, open } = await watchOutput()
    const output = open()
    await appendFile(path, 'a ')
    await output.collect()
    await appendFile(path, 'line\nPassword: ')
    await output.collect()
    expect(texts()).toEqual(['a line'])
    await output.collect()
    expect(texts()).toEqual(['a line', 'Password: '])
  })

  it('is split where a line is too long, and has no control characters', async () => {
    const { path, texts, open } = await watchOutput()
    await writeFile(path, `${'é'.repeat(10_000)}\n\u001b[31mred\u001b[0m\u0000\n`)
    await open().collect()
    expect(texts().slice(0, -1).join('')).toBe('é'.repeat(10_000))
    expect(Math.max(...texts().map((text) => text.length))).toBeLessThanOrEqual(4096)
    expect(texts().at(-1)).toBe('red�')
  })

  it('is read in parts with a limited number of lines', async () => {
    const { path, lines, open } = await watchOutput()
    const output = open()
    await writeFile(path, '\n'.repeat(100_000))
    await output.collect()
    expect(lines).toHaveLength(maxLinesAtOnce)
    await output.collect()
    expect(lines).toHaveLength(2 * maxLinesAtOnce)
  })

  it('has only its newest lines when the site prints more than is read', async () => {
    const { path, texts, open } = await watchOutput()
    const output = open()
    await writeFile(path, `${'old\n'.repeat(2 ** 22)}${'x'.repeat(2 ** 18)}\nnewest\n`)
    await output.collect()
    await output.collect()
    expect(texts()[0]).toBe(siteNotes.outputMissing)
    expect(texts()).not.toContain('old')
    expect(texts().at(-1)).toBe('newest')
  })

  it('ends with its process, also when that has printed millions of lines', async () => {
    const { path, lines, texts, open } = await watchOutput()
    await writeFile(path, '\n'.repeat(2 ** 20))
    await open().finish('site', path)
    expect(lines.length).toBeLessThan(2 ** 18)
    expect(texts().at(-1)).toBe(siteNotes.outputMissing)
    expect((await stat(path)).size).toBe(0)
  })

  it('has a limited number of lines of the errors of a request', () => {
    const lines: unknown[] = []
    createErrorLog({ add: (_key, _source, line) => lines.push(line) })('site', '\n'.repeat(65_536))
    expect(lines).toHaveLength(maxLinesAtOnce)
  })

  it('is whole when its file is emptied because it cannot be cut in place', async () => {
    let isPrinting = true
    const { path, texts, open } = await watchOutput(async (path) => {
      if (isPrinting) await appendFile(path, 'meanwhile\n')
    })
    hidePrograms()
    const output = open()
    await writeFile(path, manyLines)
    do await output.collect()
    while ((await stat(path)).size > 0)
    isPrinting = false
    expect(texts().filter((text) => text !== 'meanwhile')).toHaveLength(1200)
    expect(texts().at(-1)).toBe('meanwhile')
  })

  it('is limited when its file is emptied under a site that prints millions of lines', async () => {
    const { path, lines, texts, open } = await watchOutput(async (path) => {
      if (lines.length === 1200) await appendFile(path, '\n'.repeat(2 ** 24))
    })
    hidePrograms()
    const output = open()
    await writeFile(path, manyLines)
    do await output.collect()
    while (lines.length < 1200)
    expect(lines.length).toBeLessThan(1200 + 2 * maxLinesAtOnce)
    expect(texts().at(-1)).toBe(siteNotes.outputMissing)
    expect((await stat(path)).size).toBe(0)
  })

  it('is cut in place again after that has failed once', async ({ skip }) => {
    skip(!(await canCutInPlace()), 'The file system cannot cut a file in place')
    const { path, open } = await watchOutput()
    const output = open()
    const printMany = async () => {
      await appendFile(path, manyLines)
      for (let reads = 0; reads < 6; reads++) await output.collect()
    }
    hidePrograms()
    await printMany()
    expect((await stat(path)).size).toBeLessThan(2 ** 20)
    vi.unstubAllEnvs()
    await printMany()
    const { size } = await stat(path)
    // An emptied file would have none of the last 64 KiB.
    expect(size).toBeGreaterThan(0)
    expect(size).toBeLessThan(2 ** 20)
  })
})
