import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import packet, { type Answer, type CaaData, type Packet } from 'dns-packet'
import { freePort } from './free-port.ts'

/** The records of a name, or how the server fails. */
export type Records =
  | {
      cname?: string
      a?: readonly string[]
      aaaa?: readonly string[]
      ns?: readonly string[]
      /** A text in parts is one record. */
      txt?: readonly (string | readonly string[])[]
      caa?: readonly { flags?: number; tag: string; value: string }[]
      /** DNSSEC fails: SERVFAIL, except for queries that disable the check. */
      bogus?: boolean
      /** Types for which the response is SERVFAIL. */
      failing?: readonly string[]
      /** How long its servers take, in milliseconds. */
      delay?: number
      /** The responses come without authority. */
      lame?: boolean
      /** Records that were not requested, at the start of every response. */
      unrelated?: readonly Answer[]
    }
  | 'SERVFAIL'
  | 'REFUSED'
  | 'silence'
  | 'malformed'
  | 'wrong id'
  | 'wrong question'

/** The flags of every response: the server is a resolver, and the name server of all zones. */
const alwaysSet = packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE
const codes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }
/** The maximum size of a datagram (RFC 1035 §4.2.1). */
const datagramBytes = 512
const maxChainLength = 16

type Resolved =
  | { code: keyof typeof codes; answers: Answer[] }
  | 'silence'
  | 'malformed'
  | 'wrong id'
  | 'wrong question'

function recordsOfType(
  name: string,
  type: string,
  { a = [], aaaa = [], ns = [], txt = [], caa = [] }: Exclude<Records, string>,
): Answer[] {
  const strings = { A: a, AAAA: aaaa, NS: ns }[type]
  if (strings)
    return strings.map((data) => ({ type: type as 'A' | 'AAAA' | 'NS', name, data, ttl: 60 }))
  if (type === 'TXT')
    return txt.map((parts) => ({ type: 'TXT', name, data: [parts].flat() as string[], ttl: 60 }))
  if (type === 'CAA')
    return caa.map((data) => ({ type: 'CAA', name, data: { ...data } as CaaData, ttl: 60 }))
  return []
}

export type DnsServer = Awaited<ReturnType<typeof createDnsServer>>

/**
 * A name server on the loopback, over UDP and TCP. As at providers, the CNAMEs that lead to an
 * address precede it in the response.
 */
export async function createDnsServer(zone: Record<string, Records> = {}) {
  const names = new Map(Object.entries(zone))
  const questions: string[] = []
  let paused: Promise<void> | undefined
  let onQuestion = () => {}
  let isClosed = false

  /** The records of a name, or of the wildcard above it (RFC 4592). */
  const recordsOf = (name: string) => names.get(name) ?? names.get(name.replace(/^[^.]+/, '*'))

  function resolve(name: string, type: string, isChecked: boolean): Resolved {
    const answers: Answer[] = []
    for (let current = name; answers.length < maxChainLength; ) {
      const records = recordsOf(current.toLowerCase())
      if (records === undefined) return { code: 'NXDOMAIN', answers }
      if (records === 'SERVFAIL' || records === 'REFUSED') return { code: records, answers: [] }
      if (typeof records === 'string') return records
      if ((records.bogus && isChecked) || records.failing?.includes(type))
        return { code: 'SERVFAIL', answers: [] }
      answers.push(...(records.unrelated ?? []))
      const ofType = recordsOfType(current, type, records)
      if (ofType.length > 0 || records.cname === undefined)
        return { code: 'NOERROR', answers: [...answers, ...ofType] }
      answers.push({ type: 'CNAME', name: current, data: records.cname, ttl: 60 })
      if (type === 'CNAME') return { code: 'NOERROR', answers }
      current = records.cname
    }
    return { code: 'SERVFAIL', answers: [] }
  }

  async function respondTo(message: Buffer): Promise<Packet | Buffer | undefined> {
    const query = packet.decode(message)
    const [question] = query.questions ?? []
    if (!question) return undefined
    questions.push(`${question.type} ${question.name}`)
    onQuestion()
    await paused
    const records = recordsOf(question.name.toLowerCase())
    if (typeof records === 'object' && records.delay) await sleep(records.delay)
    const resolved = resolve(question.name, question.type, !query.flag_cd)
    if (resolved === 'silence') return undefined
    // The header of a response, and half a question.
    if (resolved === 'malformed')
      return packet.encode({ ...query, type: 'response' }).subarray(0, 14)
    const id = query.id ?? 0
    const isLame = typeof records === 'object' && records.lame
    const authority = isLame ? 0 : packet.AUTHORITATIVE_ANSWER
    const { code, answers } =
      typeof resolved === 'string' ? { code: 'NXDOMAIN' as const, answers: [] } : resolved
    return {
      type: 'response',
      id: resolved === 'wrong id' ? id ^ 1 : id,
      flags: alwaysSet | authority | codes[code],
      questions: [
        resolved === 'wrong question' ? { ...question, name: 'other.example' } : question,
      ],
      answers,
    }
  }

  const udp = createSocket('udp4')
  // The same port for both protocols, so it must be free for both.
  const port = await freePort()
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  udp.on('message', async (message, from) => {
    const response = await respondTo(message)
    // The server may have been closed while it was paused or slow.
    if (!response || isClosed) return
    if (Buffer.isBuffer(response)) return void udp.send(response, from.port, from.address)
    const encoded = packet.encode(response)
    const flags = (response.flags ?? 0) | packet.TRUNCATED_RESPONSE
    const sent =
      encoded.length <= datagramBytes ? encoded : packet.encode({ ...response, flags, answers: [] })
    udp.send(sent, from.port, from.address)
  })

  const tcp = createServer((connection) => {
    let received = Buffer.alloc(0)
    connection.on('error', () => connection.destroy())
    connection.on('data', async (part: Buffer) => {
      received = Buffer.concat([received, part])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE()) return
      const response = await respondTo(received.subarray(2))
      if (response && !Buffer.isBuffer(response)) connection.write(packet.streamEncode(response))
    })
  })
  tcp.listen(port, '127.0.0.1')
  await once(tcp, 'listening')

  return {
    /** Its address for `DNS_SERVERS`. */
    address: `127.0.0.1:${(tcp.address() as AddressInfo).port}`,
    /** Every question that it received, such as `A www.example.com`. */
    questions,
    set: (name: string, records: Records) => void names.set(name, records),
    delete: (name: string) => void names.delete(name),
    /** Sends no response until the returned function is called. */
    pause() {
      let release = () => {}
      paused = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
    nextQuestion: () =>
      new Promise<void>((resolve) => {
        onQuestion = resolve
      }),
    async close() {
      isClosed = true
      udp.close()
      tcp.close()
    },
  }
}
