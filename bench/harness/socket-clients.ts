// Opens a socket per token, and reports when the last one has received a message.
import { type ClientRequest, get } from 'node:http'
import type { Duplex } from 'node:stream'

type Command = { open: string[] } | { expect: number }

const [address = ''] = process.argv.slice(2)

let opened = 0
let frames = 0
let expectedFrames = 0
let arrivals: bigint[] = []

const send = (message: object) => process.send?.(message)

/**
 * Counts whole text frames (RFC 6455 §5.2, unmasked) and nothing else: a client library for 2,000
 * sockets would measure itself.
 */
function countFrames(socket: Duplex, head: Buffer) {
  let rest = head
  const read = (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const length = (rest[1] ?? 0) & 0x7f
      if (rest.length < 2 || length > 125) break
      if (rest.length < 2 + length) break
      rest = rest.subarray(2 + length)
      arrived()
    }
  }
  socket.on('data', read)
  // A broken socket shows as a message that does not reach all sockets.
  socket.on('error', (error) => send({ broken: error.message }))
}

function arrived() {
  frames++
  arrivals.push(process.hrtime.bigint())
  if (frames !== expectedFrames) return
  send({ arrivals: arrivals.map(String) })
  arrivals = []
  frames = 0
}

const upgrade = (token: string): ClientRequest =>
  get(`${address}${encodeURIComponent(token)}`, {
    agent: false,
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': Buffer.alloc(16, 1).toString('base64'),
    },
  })

function open(tokens: string[]) {
  const expectedCount = opened + tokens.length
  // In batches: the kernel rejects connections beyond its backlog.
  const queue = [...tokens]
  const next = () => {
    const token = queue.shift()
    if (token === undefined) return
    const request = upgrade(token)
    request.once('response', ({ statusCode }) => send({ broken: `status ${statusCode}` }))
    request.once('error', (error) => send({ broken: error.message }))
    request.once('upgrade', (_response, socket, head) => {
      countFrames(socket, head)
      opened++
      if (opened === expectedCount) send({ opened })
      else next()
    })
  }
  for (let lane = 0; lane < 50; lane++) next()
}

process.on('message', (command: Command) => {
  if ('open' in command) open(command.open)
  else expectedFrames = command.expect
})
process.on('disconnect', () => process.exit())
send({ ready: true })
