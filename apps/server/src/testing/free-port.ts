import { createServer } from 'node:net'

/** A port of the loopback that nobody listens on at this moment. */
export async function freePort() {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}
