import { readFile } from 'node:fs/promises'

/** State of a listening socket (kernel: include/net/tcp_states.h). */
const listen = '0A'

/** The ports that listen in the network of a process (proc(5), net/tcp). */
export async function listeningPorts(pid: number): Promise<number[]> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => '')),
  )
  const lines = tables.flatMap((table) => table.trim().split('\n').slice(1))
  const ports = lines.flatMap((line) => {
    const [, local = '', , state] = line.trim().split(/\s+/)
    return state === listen ? [Number.parseInt(local.split(':').at(-1) ?? '', 16)] : []
  })
  return [...new Set(ports)]
}
