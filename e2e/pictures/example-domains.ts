import { day, minute, second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { newId } from '../../apps/server/src/db/ids.ts'
import { certificates } from '../../apps/server/src/modules/certificates/certificates.schema.ts'
import type { domains, ExaminedStep } from '../../apps/server/src/modules/domains/domains.schema.ts'
import { insertDomain, insertProject, type TestDatabase } from '../harness/database.ts'

const gateway = 'gateway-eu.localhost'

/** What a check has found, for one of its three steps. */
const step = (
  id: ExaminedStep['id'],
  state: ExaminedStep['state'],
  more: Partial<ExaminedStep> = {},
): ExaminedStep => ({ id, state, problem: null, found: [], ...more })

const waiting = [step('reach', 'waiting'), step('caa', 'waiting')]
const done = (host: string) => [
  step('record', 'done', { found: [{ type: 'CNAME', name: host, value: gateway }] }),
  step('reach', 'done'),
  step('caa', 'done'),
]

type ExampleDomain = Omit<typeof domains.$inferInsert, 'id' | 'projectId' | 'token'> & {
  certificate?: Partial<typeof certificates.$inferInsert>
}
type Values = Pick<ExampleDomain, 'host'> & Partial<ExampleDomain>

/** Domains that wait for their records, in the ways that are most frequent. */
const pendingDomains: Values[] = [
  {
    host: 'www.harbour-cafe.example',
    steps: [step('record', 'failed', { problem: 'record_missing' }), ...waiting],
    provider: 'cloudflare',
  },
  {
    host: 'xn--hafenbckerei-lcb.example',
    role: 'redirect',
    steps: [
      step('record', 'failed', {
        problem: 'several_targets',
        found: ['127.0.0.1', '198.51.100.7'].map((value) => ({
          type: 'A',
          name: 'xn--hafenbckerei-lcb.example',
          value,
        })),
      }),
      ...waiting,
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
      ...waiting,
    ],
  },
]

const workingDomains: Values[] = [
  {
    host: 'www.old-mill.example',
    state: 'active',
    steps: done('www.old-mill.example'),
    hsts: true,
    certificate: {},
  },
  {
    host: 'old-mill.example',
    state: 'active',
    role: 'redirect',
    steps: done('old-mill.example'),
    certificate: { sealed: null, issuer: null, expiresAt: null, renewAt: null },
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
      sealed: null,
      issuer: null,
      expiresAt: null,
      renewAt: null,
      problem: 'caa',
      detail:
        'urn:ietf:params:acme:error:caa: CAA record for sailing-school.example prevents issuance',
      checkedAt: new Date(Date.now() - 3 * minute),
      failures: 2,
    },
  },
]

/** Certificates that could not be renewed: one runs out soon, one has. */
const expiringDomains: Values[] = [
  {
    host: 'www.print-shop.example',
    state: 'active',
    steps: done('www.print-shop.example'),
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
    steps: done('print-shop.example'),
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
      appliedGeneration: 1,
    })
    await insertDomains(database, project.id, examples)
    return `/projects/view/${project.key}/domains`
  }
  return {
    pending: await withDomains('Harbour Cafe', pendingDomains),
    working: await withDomains('Old Mill Museum', workingDomains),
    failed: await withDomains('Sailing School', failedDomains),
    expiring: await withDomains('Print Shop', expiringDomains),
  }
}
