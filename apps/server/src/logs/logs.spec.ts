import {
  appendFile,
  chmod,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
} from 'node:fs/promises'
import { join } from 'node:path'
import { day, hour } from '@slipway/contract/limits'
import type { LogEntry } from '@slipway/contract/logs'
import { serviceLimits } from '@slipway/contract/service-limits'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDataFolder } from '../testing/data-folder.ts'
import { createLogBook } from '../testing/log-book.ts'
import { createErrorLog } from './error-log.ts'
import { createLogLayout, hourOf } from './log-layout.ts'
import { createLogWriter, defaultLogLimits, type LogLimits } from './log-writer.ts'
import { createLogs } from './logs.ts'
import { openOnceShared, type ProjectExists } from './open-log.ts'

async function openLogs(changed: Partial<LogLimits> = {}, exists?: ProjectExists) {
  const folder = await createDataFolder()
  const { log, lines } = createLogBook()
  const open = () => {
    const logs = createLogs(folder, log, {
      limits: { ...defaultLogLimits, ...changed },
      ...(exists ? { exists } : {}),
    })
    onTestFinished(() => logs.close())
    return logs
  }
  return { folder, layout: createLogLayout(folder), logs: open(), open, lines }
}

/** Fails a write to an open file, by its number, after it has written half a line. */
async function failWrite(number: number) {
  const file = await open('/dev/null')
  // Node does not export the class.
  const prototype = Object.getPrototypeOf(file) as FileHandle
  await file.close()
  const { appendFile: write } = prototype
  let count = 0
  const spy = vi.spyOn(prototype, 'appendFile').mockImplementation(async function (
    this: FileHandle,
    data,
  ) {
    count++
    if (count !== number) return write.call(this, data)
    await this.write('{"t":17,"x":"hal')
    throw new Error('no space left on device')
  })
  onTestFinished(() => spy.mockRestore())
}

const textsOf = (entries: readonly LogEntry[]) => entries.map(({ text }) => text)

describe('the logs of sites', () => {
  it('are read backwards by page, over hours, each line once', async () => {
    const { logs } = await openLogs()
    const start = Date.now() - 3 * hour
    const texts = Array.from({ length: 250 }, (_, index) => `line ${index}`)
    for (const [index, text] of texts.entries())
      logs.add('site', 'site', { time: start + (index * 3 * hour) / 250, text })
    await logs.flush()

    const read: (string | null)[] = []
    let before: string | undefined
    for (;;) {
      const page = await logs.page('site', 'site', { before, limit: 37 })
      if (page.length === 0) break
      read.unshift(...textsOf(page))
      before = page[0]?.position
    }
    expect(read).toEqual(texts)
  })

  it('give the newest page of a large hour without reading all of it', async () => {
    const { logs } = await openLogs()
    for (let index = 0; index < 20_000; index++)
      logs.add('site', 'site', { time: Date.now(), text: `${index} ${'x'.repeat(200)}` })
    await logs.flush()
    const page = await logs.page('site', 'site', { limit: 3 })
    expect(textsOf(page).map((text) => text?.split(' ')[0])).toEqual(['19997', '19998', '19999'])
  })

  it.runIf(process.platform === 'linux')(
    'are writable for the group where they are shared, and follow no link out of their folder',
    async () => {
      const { folder, logs, layout, lines } = await openLogs()
      const time = Date.now()
      const write = async (key: string) => {
        logs.add(key, 'site', { time, text: 'line' })
        await logs.flush()
      }
      await mkdir(layout.root)
      await chmod(layout.root, 0o2770)
      await write('shared')
      // As a process that was killed before it shared its folders.
      await mkdir(layout.folder('unshared', 'site'), { recursive: true, mode: 0o750 })
      await write('unshared')
      const mode = async (path: string) => (await stat(path)).mode & 0o7777
      for (const key of ['shared', 'unshared']) {
        for (const path of [layout.project(key), layout.folder(key, 'site')])
          expect(await mode(path)).toBe(0o2770)
        expect(await mode(layout.file(key, 'site', hourOf(time)))).toBe(0o660)
      }

      const [outside, name] = [join(folder, 'outside'), `${hourOf(time)}.log`]
      await mkdir(join(outside, 'site'), { recursive: true })
      await symlink(outside, layout.project('project-link'))
      await mkdir(layout.project('folder-link'))
      await symlink(join(outside, 'site'), layout.folder('folder-link', 'site'))
      await mkdir(layout.folder('file-link', 'site'), { recursive: true })
      await symlink(join(outside, name), layout.file('file-link', 'site', hourOf(time)))
      for (const key of ['project-link', 'folder-link', 'file-link']) await write(key)
      expect(await readdir(outside, { recursive: true })).toEqual(['site'])
      expect(lines.map(({ message }) => message)).toEqual(['the logs of sites cannot be written'])
    },
  )

  it.each([0o750, 0o2770])(
    'are not created again for a deleted project, in a folder with mode %o',
    async (mode) => {
      const deleted = new Set<string>()
      const { logs, layout, lines } = await openLogs({}, async (key) => !deleted.has(key))
      await mkdir(layout.root)
      await chmod(layout.root, mode)
      const write = async (key: string) => {
        logs.add(key, 'requests', { time: Date.now(), text: 'line' })
        await logs.flush()
      }
      for (const key of ['deleted', 'other']) await write(key)
      logs.add('deleted', 'requests', { time: Date.now(), text: 'not written yet' })
      deleted.add('deleted')
      await logs.remove('deleted')
      await logs.flush()
      for (const key of ['deleted', 'other', 'deleted', 'new']) await write(key)
      expect(await readdir(layout.root)).toEqual(['new', 'other'])
      expect(await logs.page('other', 'requests', { limit: 10 })).toHaveLength(2)
      expect(lines).toEqual([])
    },
  )

  it('are created once the database can say that their project exists', async () => {
    let exists: ProjectExists = () => Promise.reject(new Error('no database'))
    const { logs, layout } = await openLogs({}, (key) => exists(key))
    logs.add('site', 'site', { time: Date.now(), text: 'dropped' })
    await logs.flush()
    expect(await readdir(layout.root)).toEqual([])
    exists = async () => true
    logs.add('site', 'site', { time: Date.now(), text: 'written' })
    await logs.flush()
    const page = await logs.page('site', 'site', { limit: 10 })
    expect(page.map(({ text, dropped }) => text ?? dropped)).toEqual(['written', 1])
  })

  it('are opened once the process that creates their folder has shared it', async () => {
    const { layout } = await openLogs()
    const folder = layout.project('new')
    await mkdir(folder, { recursive: true, mode: 0o750 })
    /**
     * Fails as for a member of the group: this process may be root, whom the kernel denies nothing.
     */
    const open = async () => {
      if ((await stat(folder)).mode & 0o020) return 'opened'
      setImmediate(() => void chmod(folder, 0o2770))
      throw Object.assign(new Error('permission denied'), { code: 'EACCES' })
    }
    await expect(openOnceShared([folder], open)).resolves.toBe('opened')
    const failing = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
    await expect(openOnceShared([folder], failing)).rejects.toThrow('full')
  })

  it('skip a half line that a crash has left, and lose no line after it', async () => {
    const { logs, open, layout } = await openLogs()
    const time = Date.now()
    logs.add('site', 'site', { time, text: 'before' })
    await logs.flush()
    await appendFile(layout.file('site', 'site', hourOf(time)), '{"t":17,"x":"hal')

    const later = open()
    later.add('site', 'site', { time, text: 'after' })
    await later.flush()
    expect(textsOf(await later.page('site', 'site', { limit: 10 }))).toEqual(['before', 'after'])
  })

  it('have the lines of two processes that write at once', async () => {
    const { logs, open } = await openLogs()
    const otherWriter = open()
    for (let index = 0; index < 500; index++) {
      logs.add('site', 'site', { time: Date.now(), text: `one ${index}` })
      otherWriter.add('site', 'site', { time: Date.now(), text: `two ${index}` })
      if (index % 50 === 0) await Promise.all([logs.flush(), otherWriter.flush()])
    }
    await Promise.all([logs.flush(), otherWriter.flush()])
    const texts = textsOf(await logs.page('site', 'site', { limit: 1000 }))
    expect(new Set(texts).size).toBe(1000)
  })

  it('have each line once, in order, while others are being written', async () => {
    const { logs } = await openLogs()
    const texts = Array.from({ length: 1000 }, (_, index) => `line ${index} ${'x'.repeat(index)}`)
    for (const [index, text] of texts.entries()) {
      logs.add('site', 'site', { time: Date.now(), text })
      // Some flushes end before the next line, others do not.
      const flushed = index % 7 === 0 && logs.flush()
      if (index % 3 === 0) await flushed
    }
    await logs.flush()
    expect(textsOf(await logs.page('site', 'site', { limit: 1000 }))).toEqual(texts)
  })

  it('have what a program reports as errors, a line each', async () => {
    const { logs } = await openLogs()
    createErrorLog(logs)('site', 'PHP Warning: one\nPHP Fatal error: two\n')
    await logs.flush()
    const lines = textsOf(await logs.page('site', 'site', { limit: 10 }))
    expect(lines).toEqual(['PHP Warning: one', 'PHP Fatal error: two'])
  })

  it('say how many lines a full hour has dropped', async () => {
    const { logs, layout } = await openLogs({ fileBytes: 1000 })
    const time = Date.now()
    for (let index = 0; index < 100; index++)
      logs.add('site', 'site', { time, text: `line ${index}` })
    await logs.flush()

    const page = await logs.page('site', 'site', { limit: 1000 })
    const storedLines = page.filter(({ text }) => text !== null)
    expect(textsOf(storedLines)).toEqual(storedLines.map((_, index) => `line ${index}`))
    expect(page.at(-1)?.dropped).toBe(100 - storedLines.length)
    expect((await stat(layout.file('site', 'site', hourOf(time)))).size).toBeLessThan(1100)
  })

  it.each([
    ['the lines', 1],
    ['the report of dropped lines', 2],
  ])('store or count each line once if the write of %s fails', async (_what, number) => {
    const { logs } = await openLogs({ fileBytes: 1000 })
    const time = Date.now()
    await failWrite(number)
    for (let index = 0; index < 100; index++) logs.add('site', 'site', { time, text: 'line' })
    await logs.flush()
    logs.add('site', 'site', { time, text: 'line' })
    await logs.close()
    const page = await logs.page('site', 'site', { limit: 1000 })
    const stored = page.filter(({ text }) => text === 'line').length
    expect(stored).toBeGreaterThan(0)
    expect(page.at(-1)?.dropped).toBe(101 - stored)
    expect(page).toHaveLength(stored + 1)
  })

  it('report lines that were dropped after the first report when the server stops', async () => {
    const { logs } = await openLogs({ fileBytes: 200 })
    const add = (count: number) => {
      for (let index = 0; index < count; index++)
        logs.add('site', 'site', { time: Date.now(), text: 'a line of the site' })
    }
    add(20)
    await logs.flush()
    add(30)
    await logs.close()
    const page = await logs.page('site', 'site', { limit: 1000 })
    const dropped = page.reduce((sum, entry) => sum + (entry.dropped ?? 0), 0)
    expect(dropped + page.filter(({ text }) => text !== null).length).toBe(50)
  })

  it('use bounded memory while they cannot be written, and count the dropped lines', async () => {
    const { folder, logs, lines } = await openLogs({ waitingBytes: 1000 })
    // A file at the folder's path: even root cannot write a log.
    await appendFile(join(folder, 'logs'), '')
    for (let index = 0; index < 100; index++)
      logs.add('site', 'site', { time: Date.now(), text: 'a line of the site' })
    await logs.flush()
    expect(lines.map(({ message }) => message)).toContain('the logs of sites cannot be written')
  })

  it('are reported once a minute while they cannot be written', async () => {
    const { folder, layout } = await openLogs()
    const { log, lines } = createLogBook()
    let time = Date.now()
    const writer = createLogWriter(layout, log, {}, () => time)
    onTestFinished(() => writer.close())
    await appendFile(join(folder, 'logs'), '')
    for (let seconds = 0; seconds <= 120; seconds += 20) {
      writer.add('site', 'site', { time, text: 'a line of the site' })
      await writer.flush()
      time += 20_000
    }
    expect(lines.map(({ message }) => message)).toEqual(
      Array(3).fill('the logs of sites cannot be written'),
    )
  })

  it('are written by the flush after one that failed', async () => {
    const { folder, logs, layout } = await openLogs()
    const { log } = createLogBook()
    const failingLog = {
      ...log,
      warn: () => {
        throw new Error('the log is closed')
      },
    }
    const writer = createLogWriter(layout, failingLog)
    onTestFinished(() => writer.close())
    await appendFile(join(folder, 'logs'), '')
    writer.add('site', 'site', { time: Date.now(), text: 'first' })
    await expect(writer.flush()).rejects.toThrow('the log is closed')
    await rm(join(folder, 'logs'))
    writer.add('site', 'site', { time: Date.now(), text: 'second' })
    await writer.flush()
    const page = await logs.page('site', 'site', { limit: 10 })
    expect(page.map(({ text, dropped }) => text ?? dropped)).toEqual(['second', 1])
  })

  it('are followed from the newest lines on, and from a position after a reconnect', async () => {
    const { logs } = await openLogs()
    const add = async (text: string) => {
      logs.add('site', 'site', { time: Date.now(), text })
      await logs.flush()
    }
    for (const text of ['one', 'two', 'three']) await add(text)
    const next = logs.follow('site', 'site', { limit: 2 })
    const first = await next()
    expect(textsOf(first)).toEqual(['two', 'three'])
    expect(await next()).toEqual([])
    await add('four')
    expect(textsOf(await next())).toEqual(['four'])

    const resumed = logs.follow('site', 'site', { after: first[0]?.position, limit: 2 })
    expect([...textsOf(await resumed()), ...textsOf(await resumed())]).toEqual(['three', 'four'])
  })

  it('are followed from one hour into the next', async () => {
    const { logs } = await openLogs()
    const last = Date.now() - 2 * hour
    logs.add('site', 'site', { time: last, text: 'last of the hour' })
    await logs.flush()
    const next = logs.follow('site', 'site', { limit: 10 })
    await next()
    logs.add('site', 'site', { time: Date.now(), text: 'first of the next' })
    await logs.flush()
    const followed = [...(await next()), ...(await next())]
    expect(textsOf(followed)).toEqual(['first of the next'])
  })

  it('are removed after seven days', async () => {
    const { logs, layout } = await openLogs()
    for (const age of [8, 6, 0])
      logs.add('site', 'site', { time: Date.now() - age * day, text: `${age} days` })
    await logs.flush()
    await logs.removeOld('site')
    expect(await readdir(layout.folder('site', 'site'))).toHaveLength(2)
    expect(textsOf(await logs.page('site', 'site', { limit: 10 }))).toEqual(['6 days', '0 days'])
  })

  it('lose their oldest hours when they are larger than allowed', async () => {
    const { logs, layout } = await openLogs()
    const now = Date.now()
    await mkdir(layout.folder('site', 'requests'), { recursive: true })
    await appendFile(layout.file('site', 'requests', hourOf(now - 3 * hour)), 'x\n')
    const recent = layout.file('site', 'requests', hourOf(now))
    await appendFile(recent, '')
    await truncate(recent, serviceLimits.logBytes)
    await logs.removeOld('site')
    expect(await readdir(layout.folder('site', 'requests'))).toEqual([`${hourOf(now)}.log`])
  })

  it('of one project are separate from those of another', async () => {
    const { logs, layout } = await openLogs()
    const time = Date.now()
    logs.add('one', 'site', { time, text: 'one' })
    logs.add('two', 'site', { time, text: 'two' })
    await logs.flush()
    await logs.remove('one')
    expect(await logs.projects()).toEqual(['two'])
    expect(await readFile(layout.file('two', 'site', hourOf(time)), 'utf8')).toContain('two')
  })
})
