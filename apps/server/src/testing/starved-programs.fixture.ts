import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { unpackInProcess } from '../artifacts/unpack-in-process.ts'
import { unpackContent } from '../engines/hosting/local/content.ts'
import { createLayout } from '../engines/hosting/local/files/layout.ts'
import { readStartTime } from '../engines/hosting/local/process/process-identity.ts'
import { adoptSiteProcess } from '../engines/hosting/local/process/site-process.ts'

/**
 * Starts and watches programs while nearly all file descriptors are in use, and prints what
 * becomes of each: `starved-programs.fixture.ts <data folder>`.
 */
const [dataDir = ''] = process.argv.slice(2)

/** Runs a function while only so many descriptors are free. */
async function withDescriptors<T>(free: number, run: () => Promise<T>): Promise<T> {
  const taken: number[] = []
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error
  }
  for (const descriptor of taken.splice(0, free)) closeSync(descriptor)
  return run().finally(() => {
    for (const descriptor of taken) closeSync(descriptor)
  })
}

/** Enough to read a file, but not to start a program with pipes. */
const fewDescriptors = 3

const codeOf = (run: () => Promise<unknown>): Promise<unknown> =>
  withDescriptors(fewDescriptors, () =>
    run().then(
      () => 'started',
      (error: NodeJS.ErrnoException) => error.code,
    ),
  )

/** The state of an adopted process that was being stopped while no descriptor was free. */
async function watchAdopted(): Promise<string> {
  const ignoring = 'trap "" TERM; echo ready; while true; do sleep 0.05; done'
  const child = spawn('/bin/sh', ['-c', ignoring], { detached: true })
  await once(child.stdout, 'data')
  const pid = child.pid ?? 0
  const startTime = (await readStartTime(pid)) ?? ''
  const record = { pid, startTime, version: '1', launch: 'one', socket: null, group: null }
  const log = { info() {}, warn() {}, error() {} }
  const adopted = await adoptSiteProcess(record, null, log)
  // Fails if it cannot read which process has the id, to send it a signal.
  adopted?.stop(60_000).catch(() => undefined)
  let state = 'alive'
  void adopted?.exited.then(() => {
    state = 'exited'
  })
  // Longer than the interval of 500 ms between the checks of an adopted process.
  await withDescriptors(0, () => delay(700))
  const starved = state
  child.kill('SIGKILL')
  await adopted?.exited
  return `${starved}, then ${state}`
}

const files = createLayout(dataDir).site('starved')
const unpacking = { archive: '/none', folder: '/none', limits: { files: 1, unpackedBytes: 1 } }
const stored = { file: '/none', url: '', digest: '' }
const { signal } = new AbortController()
const results = {
  archive: await codeOf(() => unpackInProcess(unpacking)),
  content: await codeOf(() =>
    unpackContent({ node: process.execPath }, files, null, stored, signal),
  ),
  adopted: await watchAdopted(),
}
process.stdout.write(JSON.stringify(results))
