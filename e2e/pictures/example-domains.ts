import { day, minute, second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { newId } from '../../apps/server/src/db/ids.ts'
import { certificates } from '../../apps/server/src/modules/certificates/certificates.schema.ts'
import type { domains, ExaminedStep } from '../../apps/server/src/modules/domains/domains.schema.ts'
import { insertDomain, insertProject, type TestDatabase } from '../harness/database.ts'

const gateway = 'gateway-eu.localhost'

/** The result of a check, for one of its three steps. */
const step = (
  id: ExaminedStep['id'],
  state: ExaminedStep['state'],
  overrides: Partial<ExaminedStep> = {},
): ExaminedStep => ({ id, state, problem: null, found: [], ...overrides })

const waitingSteps = [step('reach', 'waiting'), step('caa', 'waiting')]
const doneSteps = (host: string) => [
  step('record', 'done', {
    found: [
      host.split('.').length > 2
        ? { type: 'CNAME', name: host, value: gateway }
        : { type: 'A', name: host, value: '127.0.0.1' },
    ],
  }),
  step('reach', 'done'),
  step('caa', 'done'),
]

const noCertificate = { sealed: null, issuer: null, expiresAt: null, renewAt: null }

type ExampleDomain = Omit<typeof domains.$inferInsert, 'id' | 'projectId' | 'token'> & {
  certificate?: Partial<typeof certificates.$inferInsert>
}
type Values = Pick<ExampleDomain, 'host'> & Partial<ExampleDomain>

/** Pending domains with the most frequent problems of their records. */
const pendingDomains: Values[] = [
  {
    host: 'www.harbour-cafe.example',
    steps: [step('record', 'failed', { problem: 'record_missing' }), ...waitingSteps],
    provider: 'cloudflare',
  },
  {
    host: 'xn--hafenbckerei-lcb.example',
    role: 'redirect',
    steps: [
      step('record', 'failed', {
        problem: 'several_targets',
        expected: [{ type: 'A', name: 'xn--hafenbckerei-lcb.example', value: '127.0.0.1' }],
        found: ['127.0.0.1', '198.51.100.7'].map((value) => ({
          type: 'A',
          name: 'xn--hafenbckerei-lcb.example',
          value,
        })),
      }),
      ...waitingSteps,
    ],
  },
  {
    host: 'shop.harbour-cafe.example',
    role: 'alias',
    steps: [
      step('record', 'failed', {
        problem: 'held_by_another',
        found: [{ type: 'CNAME', name: 'shop.harbour-cafe.example', value: gateway }],
      }),
      ...waitingSteps,
    ],
  },
]

const workingDomains: Values[] = [
  {
    host: 'www.old-mill.example',
    state: 'active',
    steps: doneSteps('www.old-mill.example'),
    hsts: true,
    certificate: {},
  },
  {
    host: 'old-mill.example',
    state: 'active',
    role: 'redirect',
    steps: doneSteps('old-mill.example'),
    certificate: noCertificate,
  },
]

const failedDomains: Values[] = [
  {
    host: 'www.sailing-school.example',
    state: 'failed',
    steps: [
      step('record', 'failed', {
        problem: 'record_elsewhere',
        found: [
          { type: 'CNAME', name: 'www.sailing-school.example', value: 'shops.elsewhere.example' },
        ],
      }),
      step('reach', 'failed', { problem: 'other_server' }),
      step('caa', 'done'),
    ],
    certificate: {},
  },
  {
    host: 'sailing-school.example',
    state: 'active',
    role: 'alias',
    steps: [
      step('record', 'warning', {
        problem: 'proxied',
        found: [{ type: 'A', name: 'sailing-school.example', value: '104.16.1.7' }],
      }),
      step('reach', 'done'),
      step('caa', 'failed', {
        problem: 'caa_forbids',
        expected: [
          { type: 'CAA', name: 'sailing-school.example', value: '0 issue "letsencrypt.org"' },
        ],
        found: [
          { type: 'CAA', name: 'sailing-school.example', value: '0 issue "elsewhere.example"' },
        ],
      }),
    ],
    certificate: {
      ...noCertificate,
      problem: 'caa',
      detail:
        'urn:ietf:params:acme:error:caa: CAA record for sailing-school.example prevents issuance',
      checkedAt: new Date(Date.now() - 3 * minute),
      failures: 2,
    },
  },
]

/** Certificates that could not be renewed: one expires soon, one has expired. */
const expiringDomains: Values[] = [
  {
    host: 'www.print-shop.example',
    state: 'active',
    steps: doneSteps('www.print-shop.example'),
    certificate: {
      expiresAt: new Date(Date.now() + 5 * day),
      renewAt: new Date(Date.now() - 25 * day),
      problem: 'refused',
      detail:
        'During secondary validation: 203.0.113.9: Fetching http://www.print-shop.example/.well-known/acme-challenge/…: Timeout during connect (likely firewall problem)',
      checkedAt: new Date(Date.now() - 40 * minute),
      failures: 6,
    },
  },
  {
    host: 'print-shop.example',
    state: 'active',
    role: 'redirect',
    steps: doneSteps('print-shop.example'),
    certificate: {
      expiresAt: new Date(Date.now() - day),
      renewAt: new Date(Date.now() - 31 * day),
      problem: 'rate_limited',
      detail: 'too many certificates (50) already issued for "print-shop.example" in the last 168h',
      checkedAt: new Date(Date.now() - 40 * minute),
      failures: 9,
    },
  },
]

/** An active domain that has no certificate yet; `certificate` has the reason. */
const withoutCertificate = (
  host: string,
  certificate: Values['certificate'],
  role: Values['role'] = 'alias',
): Values => ({
  host,
  role,
  state: 'active',
  steps: doneSteps(host),
  certificate: { ...noCertificate, checkedAt: new Date(Date.now() - 3 * minute), ...certificate },
})

/** Domains without a certificate, one for each reason, and two whose renewal is due. */
const certificateDomains: Values[] = [
  withoutCertificate('www.vineyard.example', { checkedAt: null }, 'primary'),
  withoutCertificate('refused.vineyard.example', {
    problem: 'refused',
    detail:
      'urn:ietf:params:acme:error:rejectedIdentifier: The server will not issue certificates for the identifier :: policy forbids issuing for name',
    failures: 1,
  }),
  withoutCertificate('limited.vineyard.example', {
    problem: 'rate_limited',
    detail:
      'urn:ietf:params:acme:error:rateLimited: too many certificates (50) already issued for "vineyard.example" in the last 168h0m0s, retry after 2026-12-01 08:15:04 UTC',
    failures: 1,
  }),
  withoutCertificate('down.vineyard.example', { problem: 'unreachable', failures: 2 }),
  withoutCertificate('clock.vineyard.example', { problem: 'clock', failures: 1 }),
  withoutCertificate('internal.vineyard.example', { problem: 'internal', failures: 3 }),
  {
    host: 'renewing.vineyard.example',
    role: 'alias',
    state: 'active',
    steps: doneSteps('renewing.vineyard.example'),
    certificate: { renewAt: new Date(Date.now() - minute) },
  },
  {
    host: 'renewal-failed.vineyard.example',
    role: 'alias',
    state: 'active',
    steps: doneSteps('renewal-failed.vineyard.example'),
    certificate: {
      renewAt: new Date(Date.now() - day),
      expiresAt: new Date(Date.now() + 29 * day),
      problem: 'unreachable',
      checkedAt: new Date(Date.now() - 3 * minute),
      failures: 1,
    },
  },
]

/** A domain that is pending because of one problem of its record. */
const withProblem = (
  host: string,
  problem: NonNullable<ExaminedStep['problem']>,
  found: ExaminedStep['found'],
  expected?: ExaminedStep['expected'],
): Values => ({
  host,
  role: 'alias',
  steps: [
    step('record', 'failed', { problem, found, ...(expected && { expected }) }),
    ...waitingSteps,
  ],
})

const longestHost = `${`${'long-name-'.repeat(6)}abc.`.repeat(3)}${'long-name-'.repeat(4)}abcd.example`

/** Every other problem of a record, one of them at the longest host name that is accepted. */
const problemDomains: Values[] = [
  {
    host: 'www.boat-yard.example',
    state: 'active',
    steps: [
      step('record', 'warning', {
        problem: 'ipv6_elsewhere',
        found: [
          { type: 'A', name: 'www.boat-yard.example', value: '127.0.0.1' },
          { type: 'AAAA', name: 'www.boat-yard.example', value: '2001:db8:4f3c:77::a1' },
        ],
      }),
      step('reach', 'warning', {
        problem: 'unreachable',
        found: [{ type: 'AAAA', name: 'www.boat-yard.example', value: '2001:db8:4f3c:77::a1' }],
      }),
      step('caa', 'done'),
    ],
    certificate: noCertificate,
  },
  withProblem(longestHost, 'proof_needed', [{ type: 'CNAME', name: longestHost, value: gateway }]),
  withProblem('shop.boat-yard.example', 'name_repeated', [
    { type: 'CNAME', name: 'shop.boat-yard.example.boat-yard.example', value: gateway },
  ]),
  withProblem(
    'boat-yard.example',
    'cname_at_apex',
    [{ type: 'CNAME', name: 'boat-yard.example', value: gateway }],
    [
      { type: 'A', name: 'boat-yard.example', value: '203.0.113.20' },
      { type: 'AAAA', name: 'boat-yard.example', value: '2001:db8:4f3c:77::20' },
    ],
  ),
  withProblem('dock.boat-yard.example', 'dnssec', []),
  withProblem('quay.boat-yard.example', 'no_response', []),
  withProblem('pier.boat-yard.example', 'cname_loop', [
    { type: 'CNAME', name: 'pier.boat-yard.example', value: 'jetty.boat-yard.example' },
    { type: 'CNAME', name: 'jetty.boat-yard.example', value: 'pier.boat-yard.example' },
  ]),
  withProblem('office.boat-yard.example', 'private_address', [
    { type: 'A', name: 'office.boat-yard.example', value: '192.168.1.20' },
  ]),
  withProblem('moved.boat-yard.example', 'record_elsewhere', [
    { type: 'CNAME', name: 'moved.boat-yard.example', value: 'shops.elsewhere.example' },
  ]),
]

/** The domains of an agency's project. */
const manyDomains = Array.from({ length: 20 }, (_, index): Values => {
  const host = index === 0 ? 'www.choir.example' : `city-${index}.choir.example`
  return {
    host,
    state: 'active',
    role: index === 0 ? 'primary' : index % 3 === 0 ? 'redirect' : 'alias',
    steps: doneSteps(host),
    certificate: {},
  }
})

async function insertDomains(database: TestDatabase, projectId: ProjectId, examples: Values[]) {
  for (const { certificate, ...values } of examples) {
    const isProven = values.state !== undefined && values.state !== 'pending'
    await insertDomain(database, {
      projectId,
      state: 'pending',
      proof: isProven ? 'shared_record' : null,
      provenAt: isProven ? new Date(Date.now() - 30 * day) : null,
      checkedAt: new Date(Date.now() - 12 * second),
      ...values,
    })
    if (certificate)
      await database.db.insert(certificates).values({
        id: newId<'Certificate'>(),
        host: values.host,
        projectId,
        challenge: 'http-01',
        sealed: 'not read here',
        issuer: 'Example CA',
        startsAt: new Date(Date.now() - 30 * day),
        expiresAt: new Date(Date.now() + 60 * day),
        renewAt: new Date(Date.now() + 30 * day),
        dueAt: new Date(Date.now() + 30 * day),
        createdAt: new Date(Date.now() - 30 * day),
        ...certificate,
      })
  }
}

/** Creates sites with domains in every state, and returns the paths of their screens. */
export async function createExampleDomains(database: TestDatabase, teamId: TeamId) {
  const withDomains = async (name: string, examples: Values[]) => {
    const project = await insertProject(database, {
      teamId,
      state: 'ready',
      name,
      runtime: 'static',
      artifact: 'a'.repeat(64),
      appliedGeneration: 1,
    })
    await insertDomains(database, project.id, examples)
    const primary = examples.find(({ role = 'primary' }) => role === 'primary')
    await database.pool.query('update projects set domain = $1 where id = $2', [
      primary?.host ?? null,
      project.id,
    ])
    return `/projects/view/${project.key}/domains`
  }
  return {
    pending: await withDomains('Harbour Cafe', pendingDomains),
    working: await withDomains('Old Mill Museum', workingDomains),
    failed: await withDomains('Sailing School', failedDomains),
    expiring: await withDomains('Print Shop', expiringDomains),
    problems: await withDomains('Boat Yard', problemDomains),
    many: await withDomains('Choir', manyDomains),
    certificates: await withDomains('Vineyard', certificateDomains),
  }
}
