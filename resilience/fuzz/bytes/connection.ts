import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attacks.ts'

/** The longest wait for a response to a complete request, in milliseconds. */
const responseTimeout = 2_000
/** The wait on a connection whose request is never complete, in milliseconds. */
const incompleteTimeout = 100
/** A response is complete after this time without a byte, in milliseconds. */
const idleTimeout = 50

export type Conversation = {
  received: string
  ended: boolean
}

/** Opens a connection, sends the bytes of an attack and collects the response. */
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
  const hasTimeLeft = () =>
    performance.now() - started < (attack.complete ? responseTimeout : incompleteTimeout)
  const hasResponse = () => received !== '' && performance.now() - lastByteAt > idleTimeout
  while (attack.end !== 'reset' && !ended && hasTimeLeft() && !hasResponse()) await sleep(10)
  if (attack.end === 'reset') socket.resetAndDestroy()
  else socket.destroy()
  return { received, ended }
}
