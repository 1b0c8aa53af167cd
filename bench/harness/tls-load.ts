import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** A host name, and the port of this machine that connections to it use. */
export type TlsTarget = { host: string; port: number }

/**
 * Runs h2load of nghttp2, which costs far less than a client in JavaScript. Throws if a response is
 * no success: an error may be faster than the work to measure.
 */
async function h2load({ host, port }: TlsTarget, options: string[]) {
  const args = [...options, '-t1', `--connect-to=127.0.0.1:${port}`, `https://${host}:${port}/`]
  const { stdout } = await promisify(execFile)('h2load', args)
  const [, rate] = /finished in [^,]+, ([\d.]+) req\/s/.exec(stdout) ?? []
  const [, succeeded] = / ([1-9]\d*) succeeded, 0 failed, 0 errored/.exec(stdout) ?? []
  if (rate === undefined || succeeded === undefined)
    throw new Error(`${host}: not every response was a success\n${stdout}`)
  return Number(rate)
}

/** Responses per second over 50 connections of HTTP/1.1 that stay open. */
export const http1PerSecond = (target: TlsTarget) =>
  h2load(target, ['--h1', '-c50', '-D3', '--warm-up-time=1'])

/** Responses per second over 10 connections of HTTP/2 with 10 requests at once each. */
export const http2PerSecond = (target: TlsTarget) =>
  h2load(target, ['-c10', '-m10', '-D3', '--warm-up-time=1'])

/** Connections per second, each with a full handshake and one response; 500 at once. */
export const connectionsPerSecond = (target: TlsTarget) =>
  h2load(target, ['--h1', '-n500', '-c500'])
