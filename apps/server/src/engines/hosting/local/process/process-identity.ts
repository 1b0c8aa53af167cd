import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { ifThere } from '../files/file-errors.ts'

const run = promisify(execFile)

let bootId: Promise<string> | undefined

/** Start times count from the boot, so they tell nothing without it. Some sandboxes do not name theirs. */
const readBootId = () => {
  bootId ??= ifThere(readFile('/proc/sys/kernel/random/boot_id', 'utf8')).then(
    (text) => text?.trim() ?? 'unnamed',
  )
  return bootId
}

const readFromProc = async (pid: number): Promise<string | null> => {
  let text: string | null
  try {
    text = await ifThere(readFile(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    // The process ended between opening the file and reading it.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return null
    throw error
  }
  if (text === null) return null
  // proc(5): "pid (comm) state ..."; comm may itself hold spaces and brackets. starttime is field 22.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  if (state === 'Z' || state === 'X') return null
  return `${await readBootId()}:${fields[19]}`
}

const readFromPs = async (pid: number): Promise<string | null> => {
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)])
    const [state = '', ...started] = stdout.trim().split(/\s+/)
    return state === '' || state.startsWith('Z') ? null : started.join(' ')
  } catch (error) {
    // ps ends with 1 when there is no such process.
    if ((error as { code?: unknown }).code === 1) return null
    throw error
  }
}

/**
 * When the process started, as a text that only this process has: together with its id it tells it
 * from every other one, also after the id was given to somebody else. Null when it is gone (a
 * zombie is gone: it only waits for its parent to notice).
 */
export const readStartTime = (pid: number): Promise<string | null> =>
  process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid)
