import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { nullIfMissing } from '../../../../file-errors.ts'

const run = promisify(execFile)

let bootId: Promise<string> | undefined

/** Start times are relative to the boot. Some sandboxes have no boot id. */
const readBootId = () => {
  bootId ??= nullIfMissing(readFile('/proc/sys/kernel/random/boot_id', 'utf8')).then(
    (text) => text?.trim() ?? 'unnamed',
  )
  return bootId
}

const readFromProc = async (pid: number): Promise<string | null> => {
  let text: string | null
  try {
    text = await nullIfMissing(readFile(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    // The process exited between open and read.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return null
    throw error
  }
  if (text === null) return null
  // proc(5): "pid (comm) state ...". comm may contain spaces and parentheses. The fields after it
  // begin with the third, so starttime, the 22nd, has index 19.
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
    // ps exits with 1 when no such process exists.
    if ((error as { code?: unknown }).code === 1) return null
    throw error
  }
}

/**
 * The start time of a process as a text. Together with its id it identifies the process, also after
 * the id is reused. Null when the process has exited; a zombie has.
 */
export const readStartTime = (pid: number): Promise<string | null> =>
  process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid)
