import { request } from 'node:http'

/** What a visitor of that host name gets from the site gateway. */
export const sitePage = (port: number, host: string, path = '/') =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    // `fetch` does not let a Host header be set.
    const asked = request({ host: '127.0.0.1', port, path, headers: { host } }, (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        body += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }))
    })
    asked.on('error', reject)
    asked.end()
  })
