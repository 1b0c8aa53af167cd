import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import packet, { type Answer, type Packet, type StringAnswer } from 'dns-packet'
import { freePort } from './free-port.ts'

/** What a name has, or how the server fails when it is asked for it. */
export type Records =
  | { cname?: string; a?: readonly string[]; aaaa?: readonly string[] }
  | 'SERVFAIL'
  | 'REFUSED'
  | 'silence'

const codes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }
/** The most that a datagram may hold (RFC 1035 §4.2.1). */
const datagramBytes = 512
const longestChain = 16

export type DnsServer = Awaited<ReturnType<typeof createDnsServer>>

/**
 * A name server on the loopback, over UDP and TCP, that resolves names as those of providers do: an answer
 * for an address has the CNAMEs that lead to it before it.
 */
export async function createDnsServer(zone: Record<string, Records> = {}) {
  const names = new Map(Object.entries(zone))
  const questions: string[] = []
  let held: Promise<void> | undefined
  let asked = () => {}

  /** The records of a name, or of the wildcard above it (RFC 4592). */
  const recordsOf = (name: string) => names.get(name) ?? names.get(name.replace(/^[^.]+/, '*'))

  function resolve(
    name: string,
    type: string,
  ): { code: keyof typeof codes; answers: Answer[] } | undefined {
    const answers: StringAnswer[] = []
    for (let at = name; answers.length < longestChain; ) {
      const records = recordsOf(at.toLowerCase())
      if (records === undefined) return { code: 'NXDOMAIN', answers }
      if (records === 'silence') return undefined
      if (typeof records === 'string') return { code: records, answers: [] }
      if (records.cname !== undefined) {
        answers.push({ type: 'CNAME', name: at, data: records.cname, ttl: 60 })
        if (type === 'CNAME') return { code: 'NOERROR', answers }
        at = records.cname
        continue
      }
      const values = type === 'A' ? records.a : type === 'AAAA' ? records.aaaa : undefined
      for (const data of values ?? [])
        answers.push({ type: type as 'A' | 'AAAA', name: at, data, ttl: 60 })
      return { code: 'NOERROR', answers }
    }
    return { code: 'SERVFAIL', answers: [] }
  }

  async function answer(query: Packet): Promise<Packet | undefined> {
    const [question] = query.questions ?? []
    if (!question) return undefined
    questions.push(`${question.type} ${question.name}`)
    asked()
    await held
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
  // The same for both, and so one that neither a connection nor anybody else may have meanwhile.
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
    /** Every question that was asked, such as `A www.example.com`. */
    questions,
    set: (name: string, records: Records) => void names.set(name, records),
    delete: (name: string) => void names.delete(name),
    /** Answers nothing until the function it gives is called. */
    hold() {
      let release = () => {}
      held = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
    /** The next question that is asked. */
    nextQuestion: () =>
      new Promise<void>((resolve) => {
        asked = resolve
      }),
    async close() {
      udp.close()
      tcp.close()
    },
  }
}
