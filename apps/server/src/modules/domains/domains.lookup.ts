import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { getServers } from 'node:dns'
import { connect, isIPv6, SocketAddress } from 'node:net'
import { limits, second } from '@slipway/contract/limits'
import packet, { type Answer, type CaaData, type DecodedPacket, type TxtData } from 'dns-packet'
import pLimit from 'p-limit'
import type { Env } from '../../env/env.ts'

/** The timeout of one query to one server; each server is tried twice. */
const timeout = 1.5 * second
/** The time for all queries of a lookup. */
const deadline = 6 * second
const rounds = 2
/** A name of 127 labels has as many levels to query. */
const queriesAtOnce = 8
/** A foreign name server may return any number of records. */
const maxAnswers = 500
/** Resolvers give up on longer chains, too. */
export const maxChainLength = 8

type Data = { A: string; AAAA: string; CNAME: string; NS: string; TXT: TxtData; CAA: CaaData }
type RecordType = keyof Data
type RecordOf<Type extends RecordType> = { type: Type; name: string; data: Data[Type] }

export type Response<Type extends RecordType> = {
  /** `failed`: the servers reported an error, such as SERVFAIL. `silent`: none responded. */
  status: 'answered' | 'failed' | 'silent'
  /** The name at the end of the CNAMEs in the response, in lower case. */
  owner: string
  /** The records of the type at this name. */
  records: RecordOf<Type>[]
}

type Options = {
  /** Requests data that fails DNSSEC, too (RFC 4035 §3.2.2). */
  unchecked?: boolean
}

/** Queries name servers for one examination. Its queries end at the deadline or by the signal. */
export type Lookup = {
  query<Type extends RecordType>(
    name: string,
    type: Type,
    options?: Options,
  ): Promise<Response<Type>>
  /** The response of a zone's own name server, which no cache delays; null without one. */
  queryAuthority<Type extends RecordType>(
    server: NameServer,
    name: string,
    type: Type,
  ): Promise<Response<Type> | null>
}

export type NameServer = { address: string; port: number }

/** Parses an address of `DNS_SERVERS` or Node: 1.1.1.1, 10.0.0.2:5353, ::1 or [::1]:53. */
function parseServer(text: string): NameServer {
  const parsed = isIPv6(text) ? undefined : SocketAddress.parse(text)
  return { address: parsed?.address ?? text, port: parsed?.port || 53 }
}

/**
 * Our own resolver, because Node's does not return the owner name of a record, cannot disable
 * DNSSEC validation and cannot query the name servers of a zone.
 */
export function createLookup(env: Pick<Env, 'DNS_SERVERS'>, caller: AbortSignal): Lookup {
  const texts = env.DNS_SERVERS.length > 0 ? env.DNS_SERVERS : getServers()
  let servers = texts.map(parseServer)
  const signal = AbortSignal.any([caller, AbortSignal.timeout(deadline)])
  const limit = pLimit(queriesAtOnce)

  async function queryServers(name: string, type: RecordType, { unchecked = false }: Options) {
    let hasFailed = false
    const failed = new Set<NameServer>()
    for (let round = 0; round < rounds; round++)
      for (const server of servers) {
        if (signal.aborted || failed.has(server)) continue
        const response = await exchange(server, name, type, unchecked, signal)
        if (response === null) continue
        if (isAnswer(response)) {
          // Later queries start with the server that responds.
          servers = [server, ...servers.filter((each) => each !== server)]
          return { status: 'answered' as const, answers: answersOf(response) }
        }
        hasFailed = true
        failed.add(server)
      }
    return { status: hasFailed ? ('failed' as const) : ('silent' as const), answers: [] }
  }

  return {
    async query(name, type, options = {}) {
      const normalized = normalizeName(name)
      // Longer names do not exist (RFC 1035 §2.3.4).
      if (normalized.length > limits.domainMax)
        return { status: 'answered', owner: normalized, records: [] }
      const { status, answers } = await limit(() => queryServers(normalized, type, options))
      return { status, ...recordsAt(normalized, type, answers) }
    },
    async queryAuthority(server, name, type) {
      if (name.length > limits.domainMax) return null
      const { query, accept } = createQuery(name, type, 0)
      // Over TCP, which cannot be spoofed off-path: DNSSEC is not validated here.
      const response = await limit(() => overTcp(server, query, accept, signal))
      if (!response?.flag_aa || !isAnswer(response)) return null
      return { status: 'answered', ...recordsAt(name, type, answersOf(response)) }
    },
  }
}

const isAnswer = ({ flags = 0 }: DecodedPacket) =>
  [codes.noError, codes.noName].includes(flags & 0xf)

const answersOf = ({ answers = [] }: DecodedPacket) => answers.slice(0, maxAnswers)

const codes = { noError: 0, noName: 3 }

/** Without case and trailing dot (RFC 4343; RFC 1034 §3.1), as printable ASCII. */
export const normalizeName = (name: string) => printable(name.toLowerCase().replace(/\.$/, ''))

/** Other bytes as `\DDD` (RFC 1035 §5.1): PostgreSQL stores no NUL, and a log no control codes. */
export const printable = (text: string) =>
  text.replace(/[^ -~]/gu, (character) => `\\${String(character.codePointAt(0)).padStart(3, '0')}`)

/**
 * The records of a name in a response, through the CNAMEs in it. Records of other names, which a
 * server may add by mistake or on purpose, are dropped.
 */
function recordsAt<Type extends RecordType>(
  name: string,
  type: Type,
  answers: readonly Answer[],
): { owner: string; records: RecordOf<Type>[] } {
  const recordsOf = <Queried extends RecordType>(owner: string, queried: Queried) =>
    answers.filter(
      (each) => each.type === queried && normalizeName(each.name) === owner,
    ) as unknown as RecordOf<Queried>[]
  let owner = name
  for (let hop = 0; type !== 'CNAME' && hop < maxChainLength; hop++) {
    const [alias] = recordsOf(owner, 'CNAME')
    if (!alias) break
    owner = normalizeName(alias.data)
  }
  return { owner, records: recordsOf(owner, type) }
}

/** A query, and the function that accepts its response. */
function createQuery(name: string, type: RecordType, flags: number) {
  // A random id and a new source port: a response cannot be spoofed off-path (RFC 5452).
  const id = randomInt(0x10000)
  const query = packet.encode({ type: 'query', id, flags, questions: [{ type, name }] })
  const accept: Accept = (message) => {
    const response = decode(message)
    const [question] = response?.questions ?? []
    const isOurs =
      response?.id === id &&
      response.flag_qr &&
      question?.type === type &&
      normalizeName(question.name) === name
    return isOurs ? response : null
  }
  return { query, accept }
}

/** One query to one server, over TCP if the response does not fit into a datagram; null if none. */
async function exchange(
  server: NameServer,
  name: string,
  type: RecordType,
  unchecked: boolean,
  caller: AbortSignal,
): Promise<DecodedPacket | null> {
  const flags = packet.RECURSION_DESIRED | (unchecked ? packet.CHECKING_DISABLED : 0)
  const { query, accept } = createQuery(name, type, flags)
  const response = await overUdp(server, query, accept, caller)
  return response?.flag_tc ? overTcp(server, query, accept, caller) : response
}

function decode(message: Buffer): DecodedPacket | null {
  try {
    return packet.decode(message)
  } catch {
    // Malformed: treated as no response.
    return null
  }
}

type Accept = (message: Buffer) => DecodedPacket | null

const withTimeout = (caller: AbortSignal) => AbortSignal.any([caller, AbortSignal.timeout(timeout)])

function overUdp(
  { address, port }: NameServer,
  query: Buffer,
  accept: Accept,
  caller: AbortSignal,
) {
  return new Promise<DecodedPacket | null>((resolve) => {
    const signal = withTimeout(caller)
    if (signal.aborted) return resolve(null)
    const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4', signal })
    socket.once('close', () => resolve(null))
    socket.once('error', () => socket.close())
    socket.on('message', (message) => {
      const response = accept(message)
      if (!response) return
      resolve(response)
      socket.close()
    })
    // A connected socket receives from this server alone.
    socket.connect(port, address, () => socket.send(query))
  })
}

function overTcp(
  { address, port }: NameServer,
  query: Buffer,
  accept: Accept,
  caller: AbortSignal,
) {
  return new Promise<DecodedPacket | null>((resolve) => {
    const signal = withTimeout(caller)
    if (signal.aborted) return resolve(null)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(query.length)
    let received: Buffer = Buffer.alloc(0)
    const socket = connect({ host: address, port, signal })
    socket.once('close', () => resolve(null))
    socket.on('error', () => socket.destroy())
    socket.once('connect', () => socket.write(Buffer.concat([length, query])))
    socket.on('data', (part: Buffer) => {
      received = Buffer.concat([received, part])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE()) return
      resolve(accept(received.subarray(2, 2 + received.readUInt16BE())))
      socket.destroy()
    })
  })
}
