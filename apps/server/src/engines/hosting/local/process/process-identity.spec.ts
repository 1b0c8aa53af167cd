import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readStartTime } from './process-identity.ts'

const idle = async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])
  await once(child, 'spawn')
  return child
}

describe('readStartTime', () => {
  it('is stable for a process', async () => {
    await expect(readStartTime(process.pid)).resolves.toBe(await readStartTime(process.pid))
  })

  it('differs for a process that started at another time', async () => {
    const child = await idle()
    const ownStartTime = await readStartTime(process.pid)
    await expect(readStartTime(child.pid ?? 0)).resolves.not.toBe(ownStartTime)
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  it('is null for a process that has exited', async () => {
    const child = await idle()
    child.kill('SIGKILL')
    await once(child, 'exit')
    await expect(readStartTime(child.pid ?? 0)).resolves.toBeNull()
  })

  it.runIf(process.platform === 'linux')('is null for a zombie', async () => {
    // The shell execs a program that never waits for its children, so the child becomes a zombie.
    const script = "sh -c 'read line <&3' & echo $!; exec sleep 1000"
    const parent = spawn('/bin/sh', ['-c', script], {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    })
    if (!parent.stdout) throw new Error('The shell has no standard output')
    const [pid] = await once(parent.stdout, 'data')
    const program = () => readFile(`/proc/${parent.pid}/comm`, 'utf8')
    await expect.poll(program).toBe('sleep\n')
    ;(parent.stdio[3] as Writable).end('\n')
    await expect.poll(() => readStartTime(Number(pid))).toBeNull()
    // The id alone still exists.
    process.kill(Number(pid), 0)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
  })
})
