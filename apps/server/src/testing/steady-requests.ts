import { Agent, request } from 'node:http'

/** Sends a request every `interval` milliseconds until `end`, which returns all outcomes. */
export function sendSteadily(interval: number, send: () => Promise<string>) {
  const outcomes: Promise<string>[] = []
  const timer = setInterval(() => {
    outcomes.push(send().catch((error: Error) => error.message))
  }, interval)
  return async () => {
    clearInterval(timer)
    return Promise.all(outcomes)
  }
}

const agent = new Agent({ keepAlive: true })

/** `ok`, or the status and the body of a failed response. */
export const outcomeOf = (address: string, path: string, headers: Record<string, string>) =>
  new Promise<string>((resolve, reject) => {
    const [host, port] = address.split(':')
    const outgoing = request({ host, port, path, headers, agent }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      response.once('error', reject)
      response.once('end', () =>
        resolve(response.statusCode === 200 ? 'ok' : `${response.statusCode} ${body}`),
      )
    })
    outgoing.once('error', reject)
    outgoing.end()
  })
