import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** True when a process with this id runs. A zombie does not. */
export const isAlive = async (pid: number): Promise<boolean> => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
  if (process.platform !== 'linux') return true
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat !== null && !/\) [ZX]/.test(stat)
}

const commandLinesFromPs = async (): Promise<[pid: number, command: string][]> => {
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,args='], { maxBuffer: 2 ** 24 })
  return stdout.split('\n').map((line) => [Number.parseInt(line, 10), line])
}

const commandLinesFromProc = async (): Promise<[pid: number, command: string][]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(
    pids.map(async (pid) => [
      Number(pid),
      await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    ]),
  )
}

/**
 * The command lines of all processes. Every user of the machine can read them, so they must contain
 * no secrets.
 */
export const readCommandLines = () =>
  process.platform === 'linux' ? commandLinesFromProc() : commandLinesFromPs()

/** The ids of processes whose command line names this folder, also if no engine knows them. */
export const processesOf = async (folder: string): Promise<number[]> => {
  const matching = (await readCommandLines()).filter(([, command]) =>
    command.includes(`${folder}/`),
  )
  return matching.map(([pid]) => pid)
}

/** Kills the processes of a test's data folder. Rejects when there were any: a test leaks none. */
export const expectNoProcesses = async (folder: string): Promise<void> => {
  const running = await processesOf(folder)
  for (const pid of running) process.kill(pid, 'SIGKILL')
  if (running.length > 0) throw new Error(`processes of ${folder} are left: ${running.join(', ')}`)
}
