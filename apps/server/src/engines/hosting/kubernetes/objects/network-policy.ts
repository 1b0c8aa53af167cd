import { BlockList, isIPv6 } from 'node:net'

/** The networks that a site must not reach: all that IANA has for special purposes (RFC 6890). */
const specialNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // The metadata of virtual machines at Azure (WireServer), at a public address.
  '168.63.129.16/32',
  // The metadata of clouds is 169.254.169.254.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** The internet's part of IPv6: global unicast (RFC 4291 §2.4). */
const internet6 = '2000::/3'

export type NetworkRules = {
  /** Networks of the gateways, which send requests to the site. */
  gateways: readonly string[]
  /** Networks that no site may reach although they are public, such as the API server's. */
  closed: readonly string[]
  /** Private networks of the web servers, which send the files of releases. */
  service: readonly string[]
  /** The ports of the web servers in these networks. */
  servicePorts: readonly number[]
}

const ofFamily = (networks: readonly string[], isIpv6: boolean) =>
  networks.filter((network) => network.includes(':') === isIpv6)

const block = (cidr: string, except: readonly string[]) => ({
  ipBlock: { cidr, ...(except.length > 0 ? { except } : {}) },
})

/** The labels of namespaces whose pods are gateways and web servers. */
export const gatewayLabels = { 'slipway.internal/gateways': 'true' }

/** The labels of pods that are web servers. */
export const webLabels = { 'app.kubernetes.io/component': 'web' }

/** The port of these pods in `deploy/kubernetes`. */
const webPort = 3000

/**
 * Lets in only requests of the gateways, and lets out only DNS queries and connections to the
 * internet. Without networks of the gateways, all pods of namespaces with the label may send
 * requests.
 */
export function networkPolicy({ gateways, closed, service, servicePorts }: NetworkRules) {
  const from =
    gateways.length > 0
      ? gateways.map((cidr) => ({ ipBlock: { cidr } }))
      : [{ namespaceSelector: { matchLabels: gatewayLabels } }]
  const toService =
    service.length > 0
      ? service.map((cidr) => ({ ipBlock: { cidr } }))
      : [
          {
            namespaceSelector: { matchLabels: gatewayLabels },
            podSelector: { matchLabels: webLabels },
          },
        ]
  return {
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
    // Any port: during a release, pods of two releases may listen on different ones.
    ingress: [{ from }],
    egress: [
      {
        to: [
          {
            namespaceSelector: {},
            podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
          },
        ],
        ports: [
          { protocol: 'UDP', port: 53 },
          { protocol: 'TCP', port: 53 },
        ],
      },
      {
        to: toService,
        ports: (service.length > 0 ? servicePorts : [webPort]).map((port) => ({
          protocol: 'TCP',
          port,
        })),
      },
      {
        to: [
          block('0.0.0.0/0', [...specialNetworks, ...ofFamily(closed, false)]),
          block(internet6, ofFamily(closed, true)),
        ],
      },
    ],
  }
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Whether the NetworkPolicy of sites lets them connect to a port of an address. */
export function mayReach(
  { closed, service, servicePorts }: NetworkRules,
  address: string,
  port: number,
): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (servicePorts.includes(port) && listOf(service).check(address, family)) return true
  if (listOf([...specialNetworks, ...closed]).check(address, family)) return false
  return family === 'ipv4' || listOf([internet6]).check(address, family)
}
