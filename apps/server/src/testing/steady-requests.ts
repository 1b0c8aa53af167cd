import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

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

/** The failures of 20 visits a second while `work` runs; a visit that succeeds gives `ok`. */
export async function failuresDuring(
  visit: () => Promise<string>,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const end = sendSteadily(50, visit)
  await work()
  const outcomes = await end()
  if (outcomes.length < 20) throw new Error(`only ${outcomes.length} visits`)
  return outcomes.filter((outcome) => outcome !== 'ok')
}

/**
 * The failures of four visitors while `work` runs, of at least 20 visits. Each visits again after
 * its last response, so that a busy machine gets no more visits than it can serve.
 */
export async function failuresOfVisitors(
  visit: () => Promise<string>,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const outcomes: string[] = []
  let isOver = false
  const visitors = [1, 2, 3, 4].map(async () => {
    while (!isOver || outcomes.length < 20) {
      outcomes.push(await visit().catch((error: Error) => error.message))
      await sleep(50)
    }
  })
  try {
    await work()
  } finally {
    isOver = true
    await Promise.all(visitors)
  }
  return outcomes.filter((outcome) => outcome !== 'ok')
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
    outgoing.once('error', ({ message }) => {
      const connection = outgoing.reusedSocket ? 'an idle' : 'a new'
      reject(new Error(`${message}, on ${connection} connection`))
    })
    outgoing.end()
  })
