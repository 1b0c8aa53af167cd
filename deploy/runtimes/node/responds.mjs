// The startup probe of a Node app: any response counts, except a server error.
import { request } from 'node:http'

const port = Number(process.env.PORT)
const hosts = ['127.0.0.1', '::1']

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
