import { once } from 'node:events'
import { createSocketTicket, event, socketPath } from '@slipway/contract/events'
import { limits } from '@slipway/contract/limits'
import type { Figures } from '../figures.ts'
import { Finding } from '../finding.ts'
import type { Population } from '../population/population.ts'
import type { Oracle } from './foreign-data.ts'

/** Opens a socket for each member, as their console does. */
export async function watchSockets(
  url: string,
  { members }: Population,
  oracle: Oracle,
  figures: Figures,
) {
  const findings: Finding[] = []
  const sockets: WebSocket[] = []

  function check(name: (typeof members)[number]['name'], text: string) {
    figures.socketEvents++
    const result = event.safeParse(JSON.parse(text))
    if (!result.success) findings.push(new Finding('wrong shape', 'socket', text))
    const foreign = oracle.foreignDataIn(name, text, '')
    if (foreign !== undefined)
      findings.push(new Finding('foreign data', 'socket', `${foreign} shown to ${name}: ${text}`))
  }

  for (const { name, call } of members) {
    const { ticket } = await call(createSocketTicket)
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api${socketPath}?token=${ticket}`)
    socket.addEventListener('message', ({ data }) => check(name, String(data)))
    await once(socket, 'open')
    sockets.push(socket)
  }
  // The console pings, too: the server closes a silent socket.
  const ping = setInterval(() => {
    for (const socket of sockets) if (socket.readyState === WebSocket.OPEN) socket.send('ping')
  }, limits.socketPing)
  return {
    /** Closes the sockets, and returns the findings in their events. */
    close() {
      clearInterval(ping)
      for (const socket of sockets) socket.close()
      return findings
    },
  }
}
