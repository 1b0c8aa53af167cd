// The startup probe of a Node app: any response counts, except a server error. The gateway connects
// to the address of the pod, so an app that listens only on localhost does not respond.
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'

const port = Number(process.env.PORT)
const hosts = Object.values(networkInterfaces())
  .flat()
  .filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0)
  .map(({ address }) => address)

/** The status of the page `/`; undefined without a response. */
const statusOf = (host) =>
  new Promise((resolve) => {
    const sent = request({ host, port, path: '/', timeout: 4_000 }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve(undefined))
    sent.end()
  })

let status
for (const host of hosts) status ??= await statusOf(host)
if (status === undefined || status >= 500) process.exitCode = 1
process.exit()
