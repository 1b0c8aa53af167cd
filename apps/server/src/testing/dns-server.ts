import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import packet, { type Answer, type Packet, type StringAnswer } from 'dns-packet'
import { freePort } from './free-port.ts'

/** The records of a name, or how the server fails. */
export type Records =
  | { cname?: string; a?: readonly string[]; aaaa?: readonly string[] }
  | 'SERVFAIL'
  | 'REFUSED'
  | 'silence'

const codes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }
/** The maximum size of a datagram (RFC 1035 §4.2.1). */
const datagramBytes = 512
const longestChain = 16

export type DnsServer = Awaited<ReturnType<typeof createDnsServer>>

/**
 * A name server on the loopback, over UDP and TCP. As at providers, the CNAMEs that lead to an
 * address precede it in the answer.
 */
export async function createDnsServer(zone: Record<string, Records> = {}) {
  const names = new Map(Object.entries(zone))
  const questions: string[] = []
  let paused: Promise<void> | undefined
  let onQuestion = () => {}

  /** The records of a name, or of the wildcard above it (RFC 4592). */
  const recordsOf = (name: string) => names.get(name) ?? names.get(name.replace(/^[^.]+/, '*'))

  function resolve(
    name: string,
    type: string,
  ): { code: keyof typeof codes; answers: Answer[] } | undefined {
    const answers: StringAnswer[] = []
    for (let current = name; answers.length < longestChain; ) {
      const records = recordsOf(current.toLowerCase())
      if (records === undefined) return { code: 'NXDOMAIN', answers }
      if (records === 'silence') return undefined
      if (typeof records === 'string') return { code: records, answers: [] }
      if (records.cname !== undefined) {
        answers.push({ type: 'CNAME', name: current, data: records.cname, ttl: 60 })
        if (type === 'CNAME') return { code: 'NOERROR', answers }
        current = records.cname
        continue
      }
      const values = type === 'A' ? records.a : type === 'AAAA' ? records.aaaa : undefined
      for (const data of values ?? [])
        answers.push({ type: type as 'A' | 'AAAA', name: current, data, ttl: 60 })
      return { code: 'NOERROR', answers }
    }
    return { code: 'SERVFAIL', answers: [] }
  }

  async function answer(query: Packet): Promise<Packet | undefined> {
    const [question] = query.questions ?? []
    if (!question) return undefined
    questions.push(`${question.type} ${question.name}`)
    onQuestion()
    await paused
    const found = resolve(question.name, question.type)
    if (!found) return undefined
    return {
      type: 'response',
      id: query.id ?? 0,
      flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | codes[found.code],
      questions: [question],
      answers: found.answers,
    }
  }

  const udp = createSocket('udp4')
  // The same port for both protocols, so it must be free for both.
  const port = await freePort()
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  udp.on('message', async (message, from) => {
    const response = await answer(packet.decode(message))
    if (!response) return
    const whole = packet.encode(response)
    const flags = (response.flags ?? 0) | packet.TRUNCATED_RESPONSE
    const sent =
      whole.length <= datagramBytes ? whole : packet.encode({ ...response, flags, answers: [] })
    udp.send(sent, from.port, from.address)
  })

  const tcp = createServer((connection) => {
    let received = Buffer.alloc(0)
    connection.on('error', () => connection.destroy())
    connection.on('data', async (part: Buffer) => {
      received = Buffer.concat([received, part])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE()) return
      const response = await answer(packet.streamDecode(received))
      if (response) connection.write(packet.streamEncode(response))
    })
  })
  tcp.listen(port, '127.0.0.1')
  await once(tcp, 'listening')

  return {
    /** As `DNS_SERVERS` names it. */
    address: `127.0.0.1:${(tcp.address() as AddressInfo).port}`,
    /** Every question that was onQuestion, such as `A www.example.com`. */
    questions,
    set: (name: string, records: Records) => void names.set(name, records),
    delete: (name: string) => void names.delete(name),
    /** Answers nothing until the function it gives is called. */
    hold() {
      let release = () => {}
      paused = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
    /** The next question that is onQuestion. */
    nextQuestion: () =>
      new Promise<void>((resolve) => {
        onQuestion = resolve
      }),
    async close() {
      udp.close()
      tcp.close()
    },
  }
}
