import { connect } from 'node:net'
import { createHeadReader } from './cgi-response.ts'
import {
  beginRequest,
  createRecordReader,
  encodePairs,
  endOfStream,
  recordTypes,
  writeRecords,
} from './records.ts'

/** Where a FastCGI program listens: a socket of this machine, or the network. */
export type FastCgiAddress = { path: string } | { host: string; port: number }

export type FastCgiReply = { status: number; body: string }

const maxBodyBytes = 64 * 1024

/**
 * Sends the service's own GET to a PHP file, by its path in the sandbox. Resolves to null if the
 * response is incomplete or the signal aborts.
 */
export const requestFastCgi = (
  address: FastCgiAddress,
  file: string,
  params: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<FastCgiReply | null> =>
  new Promise((resolve) => {
    const socket = connect({ ...address, signal })
    const headReader = createHeadReader()
    let status: number | null = null
    let body = ''

    function settle(reply: FastCgiReply | null) {
      socket.destroy()
      resolve(reply)
    }

    function onStdout(part: Buffer) {
      if (status !== null) {
        body += part.toString('latin1')
        if (body.length > maxBodyBytes) settle(null)
        return
      }
      const read = headReader.push(part)
      if (!read) return
      status = read.head.status
      body = read.body.toString('latin1')
    }

    const read = createRecordReader({
      onStdout,
      onStderr: () => undefined,
      onEnd: () => settle(status === null ? null : { status, body }),
    })
    socket.on('data', (chunk: Buffer) => {
      try {
        read(chunk)
      } catch {
        // An invalid response counts as none.
        settle(null)
      }
    })
    socket.on('error', () => settle(null))
    socket.on('close', () => settle(null))
    const variables = {
      GATEWAY_INTERFACE: 'CGI/1.1',
      SERVER_SOFTWARE: 'slipway',
      SERVER_PROTOCOL: 'HTTP/1.1',
      REQUEST_METHOD: 'GET',
      REQUEST_URI: '/',
      QUERY_STRING: '',
      CONTENT_LENGTH: '',
      REMOTE_ADDR: '127.0.0.1',
      SCRIPT_FILENAME: file,
      SCRIPT_NAME: '/',
      REDIRECT_STATUS: '200',
      ...params,
    }
    socket.write(
      Buffer.concat([
        beginRequest(),
        ...writeRecords(recordTypes.params, encodePairs(Object.entries(variables))),
        endOfStream(recordTypes.params),
        endOfStream(recordTypes.stdin),
      ]),
    )
  })
