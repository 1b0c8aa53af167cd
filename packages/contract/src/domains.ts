import * as z from 'zod/mini'
import { domainStates } from './domain-state.ts'
import { endpoint } from './endpoint.ts'
import { domainName } from './field-schemas.ts'
import { type Id, idInput, idOutput } from './id.ts'

export type DomainId = Id<'Domain'>

/**
 * The primary domain is the site's address, an alias shows the same site, a redirect leads to the
 * primary domain.
 */
export const domainRoles = ['primary', 'alias', 'redirect'] as const
export type DomainRole = (typeof domainRoles)[number]

/** A certificate is pending from the proof of its domain until the authority has issued it. */
export const certificateStates = ['pending', 'active', 'failed'] as const
export type CertificateState = (typeof certificateStates)[number]

/** Why no certificate could be issued or renewed. */
export const certificateProblems = [
  /** The authority rejected the order; `detail` has its message. */
  'refused',
  /** The authority did not respond. */
  'unreachable',
  /** The authority's rate limit; the next attempt waits for its Retry-After. */
  'rate_limited',
  /** A CAA record forbids the authority. */
  'caa',
  /** The certificate is not valid yet, or no longer, by the clock of this service. */
  'clock',
  'internal',
] as const
export type CertificateProblem = (typeof certificateProblems)[number]

/** The steps from a new domain to its certificate and its renewal, in order. */
export const domainSteps = ['record', 'reach', 'caa', 'certificate', 'renewal'] as const
export type DomainStepId = (typeof domainSteps)[number]

export const domainProblems = [
  /** No record. */
  'record_missing',
  /** The record leads to another host or address. */
  'record_elsewhere',
  /** Its IPv6 addresses do not lead here. */
  'ipv6_elsewhere',
  /** Some of its addresses lead here, others do not. */
  'several_targets',
  /** The record is at `www.example.com.example.com`: the provider added the zone's name. */
  'name_repeated',
  /** A CNAME beside other records at the zone's name, which DNS does not allow. */
  'cname_at_apex',
  /** A chain of CNAMEs that never ends. */
  'cname_loop',
  /** A private address, which is not reachable from the internet. */
  'private_address',
  /** DNSSEC fails: most visitors get no response. */
  'dnssec',
  /** The name servers did not respond. */
  'no_response',
  /** The record is shared by projects and proves no owner: a TXT record is needed. */
  'proof_needed',
  /** Another team has proven the domain and uses it. */
  'held_by_another',
  /** The domain leads to a proxy that forwards requests to the service. */
  'proxied',
  /** Nothing responds at the domain. */
  'unreachable',
  /** Another server responds at the domain. */
  'other_server',
  /** A CAA record forbids the certificate authority. */
  'caa_forbids',
  /** The certificate runs out soon and could not be renewed. */
  'renewal_late',
  ...certificateProblems,
] as const
export type DomainProblem = (typeof domainProblems)[number]

const record = z.object({
  type: z.enum(['CNAME', 'A', 'AAAA', 'TXT', 'CAA']),
  name: z.string(),
  value: z.string(),
})
export type DnsRecord = z.output<typeof record>

/** A step, as of its last check. */
export const domainStep = z.object({
  id: z.enum(domainSteps),
  /** `warning`: the step is done, but the owner should know of its problem. */
  state: z.enum(['waiting', 'done', 'warning', 'failed']),
  /** Null without a warning or failure. */
  problem: z.nullable(z.enum(domainProblems)),
  /** The records that the owner may enter at the DNS provider; any one of them suffices. */
  expected: z.array(record),
  found: z.array(record),
  /** The error message of the certificate authority. */
  detail: z.nullable(z.string()),
  checkedAt: z.nullable(z.iso.datetime()),
})
export type DomainStep = z.output<typeof domainStep>

export const projectDomain = z.object({
  id: idOutput<'Domain'>(),
  /** In ASCII, as in DNS (RFC 5890: A-labels). */
  host: z.string(),
  /** In Unicode. */
  displayHost: z.string(),
  /** The registered name, to which the names of its records are relative. */
  zone: z.string(),
  role: z.enum(domainRoles),
  /** The HTTP status of a redirect; null for other roles. */
  redirectStatus: z.nullable(z.literal([301, 308])),
  /** True if responses have an HSTS header (RFC 6797). */
  hsts: z.boolean(),
  state: z.enum(domainStates),
  /** The proof of ownership: null while the domain is pending. */
  provenAt: z.nullable(z.iso.datetime()),
  /** The TXT record that proves the ownership of the domain, whatever its other records are. */
  proof: z.object({ name: z.string(), value: z.string() }),
  /** Null while the domain is pending, and where no certificates are issued. */
  certificate: z.nullable(
    z.object({
      state: z.enum(certificateStates),
      issuer: z.nullable(z.string()),
      expiresAt: z.nullable(z.iso.datetime()),
      renewAt: z.nullable(z.iso.datetime()),
    }),
  ),
  steps: z.array(domainStep),
  /** The DNS provider, recognized by its name servers, with its page to change records. */
  provider: z.nullable(z.object({ name: z.string(), url: z.url() })),
  /** When the next check is due; null where domains need no proof. */
  nextCheckAt: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
})
export type ProjectDomain = z.output<typeof projectDomain>

const id = { id: idInput<'Project'>() }
const ids = { ...id, domainId: idInput<'Domain'>() }
const redirectStatus = z.literal([301, 308], 'form_invalid')

export const listDomains = endpoint('GET /management/project/domain/all/:id', {
  summary: 'List the domains of a project, the primary one first',
  access: 'project',
  params: id,
  response: z.array(projectDomain),
  errors: ['project_not_found'],
})

export const createDomain = endpoint('POST /management/project/domain/create/:id', {
  summary: 'Add a domain to a project; it is served once its ownership is proven',
  access: 'project',
  params: id,
  body: z.object({
    domain: domainName('form_enter_own_domain'),
    /** The first domain of a project becomes the primary one, later ones aliases. */
    role: z.optional(z.enum(domainRoles, 'form_invalid')),
    redirectStatus: z._default(redirectStatus, 308),
    /** Also adds the other of `example.com` and `www.example.com`, as a redirect to this one. */
    withCounterpart: z._default(z.boolean('form_invalid'), false),
  }),
  response: projectDomain,
  errors: [
    'project_not_found',
    'cannot_update_deleted_project',
    'domain_in_use',
    'domain_limit_reached',
  ],
})

export const updateDomain = endpoint('PUT /management/project/domain/update/:id/:domainId', {
  summary: 'Change what a domain does; the former primary one becomes an alias',
  access: 'project',
  params: ids,
  body: z.object({
    role: z.optional(z.enum(domainRoles, 'form_invalid')),
    redirectStatus: z.optional(redirectStatus),
    hsts: z.optional(z.boolean('form_invalid')),
  }),
  response: projectDomain,
  errors: ['project_not_found', 'cannot_update_deleted_project', 'domain_not_found'],
})

export const deleteDomain = endpoint('DELETE /management/project/domain/delete/:id/:domainId', {
  summary: 'Remove a domain; another team can add it only with a new proof',
  access: 'project',
  params: ids,
  errors: ['project_not_found', 'cannot_update_deleted_project', 'domain_not_found'],
})

export const checkDomains = endpoint('POST /management/project/domain/check/:id', {
  summary: 'Check the domains of a project now, and often for the next few minutes',
  access: 'project',
  params: id,
  response: z.array(projectDomain),
  errors: ['project_not_found', 'cannot_update_deleted_project'],
})
