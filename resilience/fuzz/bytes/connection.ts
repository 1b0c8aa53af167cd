import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attacks.ts'

/** How long the client waits for a response to a complete request. */
const completeAfter = 2_000
/** How long it stays on a connection whose request is never complete. */
const incompleteAfter = 100
/** Without more bytes for so long, a server has said all that it will. */
const silence = 50

export type Conversation = {
  received: string
  /** The server ended the connection. */
  ended: boolean
}

/** Sends the bytes of an attack on a connection of its own and collects what comes back. */
export async function converse(
  attack: Pick<Attack, 'parts' | 'pause' | 'end' | 'complete'>,
  port: number,
): Promise<Conversation> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let received = ''
  let lastByteAt = performance.now()
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
    lastByteAt = performance.now()
  })
  let ended = false
  const end = () => {
    ended = true
  }
  socket.once('end', end)
  socket.once('close', end)
  // A server may close while the client still writes.
  socket.on('error', end)

  for (const part of attack.parts) {
    if (socket.writable) socket.write(part, 'latin1')
    if (attack.pause > 0) await sleep(attack.pause)
  }
  if (attack.end === 'half') socket.end()
  const started = performance.now()
  const timeLeft = () =>
    performance.now() - started < (attack.complete ? completeAfter : incompleteAfter)
  const isAnswered = () => received !== '' && performance.now() - lastByteAt > silence
  while (attack.end !== 'reset' && !ended && timeLeft() && !isAnswered()) await sleep(10)
  if (attack.end === 'reset') socket.resetAndDestroy()
  else socket.destroy()
  return { received, ended }
}
