import { globSync, rmSync } from 'node:fs'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Amount } from '@slipway/contract/amount'
import { requestPath } from '@slipway/contract/client'
import {
  checkDomains as checkDomainsEndpoint,
  createDomain,
  listDomains,
} from '@slipway/contract/domains'
import type { Endpoint } from '@slipway/contract/endpoint'
import { changeEnvironment, listEnvironment } from '@slipway/contract/environment'
import { viewProjectLogs } from '@slipway/contract/logs'
import { getCurrentPersonalToken } from '@slipway/contract/personal-tokens'
import {
  changeProjectPower,
  deleteProject,
  listProjects,
  restartProject,
} from '@slipway/contract/projects'
import { listReleases } from '@slipway/contract/releases'
import { listSiteBackups } from '@slipway/contract/site-backups'
import { viewTraffic } from '@slipway/contract/traffic'
import { type Locale, m } from '@slipway/phrases'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readArguments } from '../apps/cli/src/arguments.ts'
import { showBackups } from '../apps/cli/src/backups.ts'
import { type CommandContext, type CommandResult, defaultTimings } from '../apps/cli/src/context.ts'
import { addDomain, checkDomains, showDomains } from '../apps/cli/src/domains.ts'
import { listVariables, unsetVariables } from '../apps/cli/src/environment.ts'
import { helpText, helpTopics } from '../apps/cli/src/help.ts'
import { changePower, remove, restart } from '../apps/cli/src/lifecycle.ts'
import { showCurrentUser } from '../apps/cli/src/login.ts'
import { showLogs } from '../apps/cli/src/logs.ts'
import { showProjects, showReleases } from '../apps/cli/src/projects.ts'
import { showTraffic } from '../apps/cli/src/traffic.ts'
import { listScreen, threadScreen } from '../apps/operator/src/screens.ts'
import { type Problem, sendProblem } from '../apps/server/src/gateway/problem-pages.ts'
import { escapeHtml } from '../apps/server/src/http/html.ts'
import * as account from '../apps/server/src/modules/account/account.emails.ts'
import * as auth from '../apps/server/src/modules/auth/auth.emails.ts'
import * as certificates from '../apps/server/src/modules/certificates/certificates.emails.ts'
import {
  exampleUsers,
  pickPage,
} from '../apps/server/src/modules/external-login/external-login.stand-in-page.ts'
import * as issuing from '../apps/server/src/modules/invoices/issuing/issuing.emails.ts'
import { documentOf } from '../apps/server/src/modules/invoices-pdf/invoices-pdf.document.ts'
import {
  mailboxPage,
  mailPage,
  missingMailPage,
} from '../apps/server/src/modules/mail/mail.mailbox-page.ts'
import type { Mail } from '../apps/server/src/modules/mail/mail.store.ts'
import { asHtml, asText, type Email } from '../apps/server/src/modules/mail/mail.template.ts'
import * as settlement from '../apps/server/src/modules/payments/settlement/settlement.emails.ts'
import * as personalTokens from '../apps/server/src/modules/personal-tokens/personal-tokens.emails.ts'
import * as domains from '../apps/server/src/modules/projects/domains/project-domains.emails.ts'
import * as power from '../apps/server/src/modules/projects/power/power.emails.ts'
import * as support from '../apps/server/src/modules/support/support.emails.ts'
import * as teams from '../apps/server/src/modules/teams/teams.emails.ts'
import { designPage } from '../apps/site/src/design-page.ts'
import { editorPage, sessionEndedPage } from '../apps/site/src/editor-page.ts'
import { preferredLanguage } from '../apps/site/src/language.ts'
import { messagePage } from '../apps/site/src/page.ts'
import { validatePageInput } from '../apps/site/src/page-form.ts'
import { pageListPage } from '../apps/site/src/page-list-page.ts'
import { phrases } from '../apps/site/src/phrases.ts'
import { picturesPage } from '../apps/site/src/pictures-page.ts'
import { homePage, notFoundPage } from '../apps/site/src/public-page.ts'
import type { SignInFailure } from '../apps/site/src/sign-in-failure.ts'
import {
  renewalPage,
  signInFailurePage,
  signInPage,
  signInPath,
} from '../apps/site/src/sign-in-page.ts'
import { createTerminal } from '../packages/terminal/src/terminal.ts'
import { root } from './command.mjs'

// Every text of the third language is in brackets, and so is the data of these tests. A text
// without brackets is therefore in another language.

// Hoisted: the mocks below need it before the imports above run.
const { folder, mark, markAll, thirdLanguage } = await vi.hoisted(async () => {
  const { compileThirdLanguage, mark, markAll, thirdLanguage } = await import(
    './third-language.mjs'
  )
  return { folder: await compileThirdLanguage(), mark, markAll, thirdLanguage }
})
vi.mock('@slipway/phrases', () => import(join(folder, 'src/paraglide/node.js')))
vi.mock('../apps/site/src/phrases.ts', async (importOriginal) => {
  const { phrases } = await importOriginal<typeof import('../apps/site/src/phrases.ts')>()
  return { phrases: { ...phrases, [thirdLanguage]: markAll(phrases.en) } }
})
afterAll(() => rmSync(folder, { recursive: true }))

const locale = thirdLanguage as Locale
const march = '2026-03-10T14:30:00.000Z'
const price = '0.01250' as Amount
const total = '1234.50000' as Amount

const monthNames = ['long', 'short'].flatMap((month) =>
  Array.from({ length: 12 }, (_, index) =>
    new Intl.DateTimeFormat(thirdLanguage, { month, day: 'numeric' } as object).formatToParts(
      new Date(2026, index, 1),
    ),
  ).map((parts) => parts.find(({ type }) => type === 'month')?.value ?? ''),
)

/** The words of a text that are not in the third language. */
function foreignWords(text: string) {
  let rest = text
  // A text can contain texts as placeholders.
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(/⟦[^⟦⟧]*⟧/g, ' ')
  }
  const words = rest.replace(/https?:\/\/\S+/g, ' ').match(/\p{L}{2,}/gu) ?? []
  const allowedWords = ['Slipway', 'UTC', 'Google', 'Visa', 'MasterCard', 'kB', 'ms', ...monthNames]
  return words.filter((word) => !allowedWords.includes(word))
}

/**
 * The texts of HTML: between tags, and in attributes that are visible or announced. Options with a
 * `lang` are skipped, because they show each language by its own name.
 */
function textsOfHtml(html: string) {
  const withoutLanguageOptions = html.replace(/<option [^>]*lang="[^"]*"[^>]*>[^<]*/g, ' ')
  const body = withoutLanguageOptions
    .replace(/<(style|script)[^>]*>.*?<\/\1>|<!--.*?-->/gs, ' ')
    .replaceAll('<wbr>', '')
  const visibleAttributes = /\s(?:aria-label|alt|title|placeholder|label)="([^"]*)"/g
  return [
    body.replace(/<[^>]*>/g, ' '),
    ...[...body.matchAll(visibleAttributes)].map(([, text = '']) => text),
  ]
}

const englishOrTurkishMonth = /March|Mart(?!\p{L})/u

function expectThirdLanguage(...texts: string[]) {
  const all = texts.join('\n')
  expect(all).toContain('⟦')
  expect(foreignWords(all)).toEqual([])
  expect(all).not.toMatch(englishOrTurkishMonth)
}

it('foreignWords finds a word without brackets', () => {
  expect(foreignWords(`${mark(`a ${mark('b')} c`)} Pay 10 marca`)).toEqual(['Pay'])
})

it('the third language has its own plural forms', () => {
  const texts = [1, 2, 5].map((count) => m.shell_invitations_waiting({ count }, { locale }))
  for (const text of texts) expectThirdLanguage(text)
})

describe('every email', () => {
  const publicUrl = 'https://console.example'
  const name = mark('Ada')
  const user = { name, email: mark('ada'), createdAt: new Date(march), loginKind: 'Google' }
  const period = { startsAt: new Date('2026-03-01T00:00:00Z'), endsAt: new Date(march) }
  const invoice = {
    id: 'x' as never,
    number: '000042',
    amount: total,
    subtotal: total,
    discount: '0',
    taxRate: '20',
    taxAmount: total,
    issuedAt: new Date(march),
    paidAt: null,
    paymentState: null,
    ...period,
  }
  const ticket = { id: 'x' as never, subject: mark('Slow') }
  const message = { text: mark('Since today') }
  const recipient = { id: 'x' as never, name }
  const project = { key: 'site', name: mark('Site'), power: 'running' } as const
  const paidWith = { cardAssoc: 'other', lastDigits: '4242' } as const
  const payment = {
    locale,
    amount: total,
    chargedAmount: '1234.50',
    chargeId: 'x',
    settledAt: new Date(march),
    paidWith,
    failure: 'card_declined',
  } as never
  const certificate = {
    locale,
    name,
    project,
    host: mark('shop.example'),
    expiresAt: new Date(march),
    publicUrl,
  }
  const domain = {
    locale,
    name,
    project,
    host: mark('shop.example'),
    time: new Date(march),
    publicUrl,
  }
  const record = { found: [], expected: [] }
  const device = {
    browser: mark('Chrome'),
    system: mark('macOS'),
    timeZone: `Europe/${mark('Istanbul')}`,
  }
  const seller = { name: mark('Slipway'), address: [], taxNumber: mark('1234') }
  const settledPayment = { payment, invoices: [invoice, invoice], seller, name, publicUrl }

  /** The emails of each exported function, by file. */
  const emails: Record<string, Record<string, () => Email[]>> = {
    'account/account.emails.ts': {
      eventEmail: () =>
        (['lockout', 'newDevice', 'passwordChanged'] as const).map((event) =>
          account.eventEmail(event, {
            user: { name, loginKind: event === 'newDevice' ? 'Google' : 'Email' },
            locale,
            publicUrl,
            address: mark('192.0.2.1'),
            time: new Date(march),
            ...(event === 'newDevice' && { device }),
          }),
        ),
    },
    'auth/auth.emails.ts': {
      tokenEmail: () =>
        (['verify', 'reset'] as const).map((kind) =>
          auth.tokenEmail(kind, { locale, user, publicUrl, token: 'x' }),
        ),
      noPasswordEmail: () => [auth.noPasswordEmail({ locale, user, publicUrl })],
    },
    'certificates/certificates.emails.ts': {
      expiryEmail: () =>
        (['three_weeks', 'one_week', 'expired'] as const).map((notice) =>
          certificates.expiryEmail(notice, certificate),
        ),
      renewedEmail: () => [certificates.renewedEmail(certificate)],
    },
    'projects/domains/project-domains.emails.ts': {
      failedDomainEmail: () =>
        [record, undefined].map((wrong) => domains.failedDomainEmail(wrong, domain)),
      recoveredDomainEmail: () => [domains.recoveredDomainEmail(domain)],
    },
    'invoices/issuing/issuing.emails.ts': {
      issuedEmail: () => [issuing.issuedEmail({ locale, invoice, publicUrl })],
    },
    'personal-tokens/personal-tokens.emails.ts': {
      createdEmail: () => [
        personalTokens.createdEmail({
          user,
          token: { name: mark('CI'), createdAt: new Date(march), expiresAt: new Date(march) },
          locale,
          projectNames: undefined,
          publicUrl,
          address: mark('192.0.2.1'),
        }),
      ],
    },
    'payments/settlement/settlement.emails.ts': {
      receiptEmail: () =>
        [[invoice], [invoice, invoice]].map((invoices) =>
          settlement.receiptEmail({ ...settledPayment, invoices }),
        ),
      failureEmail: () => [settlement.failureEmail(settledPayment)],
      lateChargeEmail: () => [settlement.lateChargeEmail(settledPayment)],
    },
    'projects/power/power.emails.ts': {
      unpaidEmail: () =>
        [recipient, { ...recipient, id: 'y' as never }].map((owner) =>
          power.unpaidEmail(owner, [invoice])({ locale, recipient, project, publicUrl }),
        ),
      abuseEmail: () => [power.abuseEmail({ locale, recipient, project, publicUrl })],
      resumedEmail: () =>
        (['running', 'stopped'] as const).map((requested) =>
          power.resumedEmail({
            locale,
            recipient,
            project: { ...project, power: requested },
            publicUrl,
          }),
        ),
    },
    'support/support.emails.ts': {
      replyEmail: () => [support.replyEmail({ locale, ticket, message, name, publicUrl })],
      messageEmail: () => [
        support.messageEmail({ locale, ticket, message, operator: name, user } as never),
      ],
    },
    'teams/teams.emails.ts': {
      invitationEmail: () =>
        [undefined, name].flatMap((inviteeName) =>
          [undefined, 'Google'].map((loginProvider) =>
            teams.invitationEmail({
              locale,
              email: mark('ada'),
              inviteeName,
              loginProvider,
              inviterName: name,
              teamName: mark('Team'),
              publicUrl,
            }),
          ),
        ),
    },
  }

  const modules = join(root, 'apps/server/src/modules')
  it.each(globSync('**/*.emails.ts', { cwd: modules }))(
    'has an example for each function in %s',
    async (file) => {
      const exported = Object.keys(await import(join(modules, file)))
      expect(Object.keys(emails[file] ?? {}).sort()).toEqual(exported.sort())
    },
  )

  const cases = Object.values(emails).flatMap((functions) => Object.entries(functions))
  it.each(cases)('is in the third language: %s', (_, createEmails) => {
    for (const email of createEmails()) {
      expectThirdLanguage(email.subject, asText(email, publicUrl))
      expectThirdLanguage(...textsOfHtml(asHtml(email, publicUrl)))
    }
  })

  it.each(cases)(
    'has a preheader and a footer with the reason and a link: %s',
    (_, createEmails) => {
      for (const email of createEmails()) {
        const html = asHtml(email, publicUrl)
        const preheader = /<div style="display:none[^"]*">([^&<]+)/.exec(html)?.[1] ?? ''
        expect(preheader).toContain('⟦')
        expect(preheader).not.toContain(email.subject)
        const footer = html.slice(html.lastIndexOf('<p '))
        const reason = email.reason ?? m.mail_reason_account({}, { locale })
        expect(footer).toContain(escapeHtml(reason))
        expect(footer).toContain(`href="${publicUrl}"`)
      }
    },
  )
})

describe('the PDF of an invoice', () => {
  function textsIn(node: unknown): string[] {
    if (typeof node === 'string') return [node]
    if (Array.isArray(node)) return node.flatMap(textsIn)
    if (typeof node !== 'object' || node === null) return []
    const { text, stack, columns, table } = node as Record<string, unknown>
    const body = (table as { body?: unknown } | undefined)?.body
    return [text, stack, columns, body].flatMap(textsIn)
  }

  it('is in the third language', () => {
    const item = {
      id: 'x',
      projectId: 'p',
      projectName: mark('Shop'),
      product: mark('Website'),
      price,
      discount: price,
      runningHours: 1234,
      amount: total,
      discountAmount: total,
      totalAmount: total,
      createdAt: '2026-03-01T00:00:00.000Z',
    }
    const address = { address: mark('x'), district: mark('y'), city: mark('z'), country: 'Turkey' }
    const invoice = {
      id: '1234',
      number: '000001',
      seller: { name: mark('Slipway'), address: [mark('Quay 1')], taxNumber: mark('1234') },
      tax: { rate: '7.5', amount: total },
      createdAt: '2026-03-01T00:00:00.000Z',
      endsAt: march,
      issuedAt: march,
      dueAt: march,
      paidAt: march,
      amount: total,
      paidWith: { cardAssoc: 'other', lastDigits: '4242' },
      charge: { amount: total, chargedAmount: '1234.51', invoiceCount: 2 },
      billedTo: { name: mark('Ada'), email: mark('ada'), taxNumber: mark('1'), address },
      items: [item, { ...item, id: 'y', discount: null, createdAt: march }],
    }
    const { content, footer, info } = documentOf({ locale, invoice } as never)
    const page = typeof footer === 'function' ? footer(1, 2, {} as never) : footer
    expectThirdLanguage(...textsIn(content), ...textsIn(page), info?.title ?? '')
  })
})

describe('a problem page of the site gateway', () => {
  // A record, so that a new problem does not compile without its test.
  const problems: Record<Problem, true> = {
    malformed_request: true,
    site_not_found: true,
    site_empty: true,
    page_not_found: true,
    method_not_allowed: true,
    length_required: true,
    site_starting: true,
    site_stopped: true,
    site_suspended: true,
    site_not_set_up: true,
    site_unreachable: true,
    site_failed: true,
    site_timeout: true,
  }

  it.each(Object.keys(problems) as Problem[])('is in the third language: %s', (problem) => {
    const request = new IncomingMessage(new Socket())
    request.headers = { accept: 'text/html', 'accept-language': `${thirdLanguage}-PL,en;q=0.5` }
    const response = new ServerResponse(request)
    const end = vi.spyOn(response, 'end')
    sendProblem(request, response, problem, '127.0.0.1')
    const html = String(end.mock.calls[0]?.[0])
    expect(html).toContain(`lang="${thirdLanguage}"`)
    expectThirdLanguage(...textsOfHtml(html))
  })
})

describe('a development stand-in', () => {
  const mail = {
    id: '1',
    recipient: mark('ada'),
    subject: mark('Welcome'),
    text: mark('Hello'),
    html: '',
    createdAt: new Date(march),
  }
  const mails = (['queued', 'sent', 'kept', 'failed'] as const).map(
    (state) => ({ ...mail, state }) as unknown as Mail,
  )

  it.each([
    ['mailbox', mailboxPage(locale, mails)],
    ['empty mailbox', mailboxPage(locale, [])],
    ...mails.map((mail) => [`${mail.state} email`, mailPage(locale, mail)]),
    ['missing email', missingMailPage(locale)],
    ['OpenID provider', pickPage(locale, '', '1', true)],
  ])('is in the third language: %s', (_, page = '') => {
    const withoutExamples = exampleUsers
      .flatMap(({ name, email }) => [name, email])
      .reduce((rest, example) => rest.replaceAll(example, ''), page)
    expectThirdLanguage(...textsOfHtml(withoutExamples))
  })
})

describe('the operator’s command line', () => {
  const terminal = createTerminal(process.stdout, locale)
  const ticket = {
    id: '1234',
    subject: mark('Slow'),
    state: 'open',
    waiting: false,
    resolvedAt: march,
    createdAt: march,
    updatedAt: march,
    user: { id: '1', name: mark('Ada'), email: '1@1' },
  }

  it('lists tickets in the third language', () => {
    const items = [ticket, { ...ticket, waiting: true }, { ...ticket, state: 'resolved' }]
    const page = { items, currentPage: 1, totalPages: 2, perPage: 10 } as never
    expectThirdLanguage(...listScreen(page, terminal))
  })

  it('shows a ticket in the third language', () => {
    const messages = ['1', '2'].map((userId) => ({ userId, text: mark('x'), createdAt: march }))
    const thread = { ...ticket, olderMessages: 3, messages } as never
    expectThirdLanguage(...threadScreen(thread, terminal))
  })
})

describe('the customers’ command line', () => {
  it.each(Object.keys(helpTopics))('has its help in the third language: %s', (topic) => {
    expectThirdLanguage(helpText(topic, locale) ?? '')
  })

  it('has the list of its commands in the third language', () => {
    expectThirdLanguage(helpText(undefined, locale) ?? '')
  })

  it.each([
    ['unknown command', ['x']],
    ['unknown option', ['logs', '--runtime', 'x']],
    ['option without a value', ['logs', '--project']],
    ['excess operand', ['stop', 'x']],
    ['missing operand', ['create']],
  ])('rejects a wrong command line in the third language: %s', (_, args) => {
    expect(() => readArguments(args, locale)).toThrow(/^⟦.*⟧$/s)
  })

  const project = {
    id: '1',
    key: mark('site'),
    name: mark('Site'),
    state: 'ready',
    power: 'running',
    runtime: mark('static'),
    domain: null,
    defaultUrl: 'https://site.example',
  }
  const user = { name: mark('Ada'), email: mark('ada') }
  const record = { type: mark('CNAME'), name: mark('shop'), value: mark('sites.example') }
  const domain = {
    id: '1',
    host: 'shop.example',
    displayHost: mark('shop.example'),
    zone: mark('shop.example'),
    role: 'primary',
    state: 'pending',
    checkedAt: march,
    steps: [
      { id: 'record', state: 'failed', problem: 'record_missing', expected: [record], found: [] },
      { id: 'certificate', state: 'waiting', problem: null, expected: [], found: [] },
    ].map((step) => ({ ...step, detail: null })),
  }
  const release = {
    id: '1',
    number: 2,
    state: 'failed',
    failure: 'damaged',
    failureDetail: null,
    rollbackOf: null,
    image: null,
    createdAt: march,
    createdBy: user,
    log: [],
  }
  const backup = {
    id: mark('1'),
    state: 'ready',
    cause: 'manual',
    failure: null,
    bytes: 1234,
    createdAt: march,
    createdBy: null,
  }
  const figures = { requests: 1234, visitors: 5, bytes: 1234, clientErrors: 1, serverErrors: 0 }
  const responses: [Endpoint, unknown][] = [
    [listProjects, [project]],
    [listReleases, { items: [release, { ...release, state: 'live', rollbackOf: 1 }] }],
    [listDomains, [domain]],
    [checkDomainsEndpoint, [domain]],
    [createDomain, domain],
    [changeEnvironment, { variables: [] }],
    [listEnvironment, { variables: [] }],
    [listSiteBackups, { items: [backup, { ...backup, state: 'creating' }], hasContent: true }],
    [viewTraffic, { total: { ...figures, median: 0.05, p95: null } }],
    [viewProjectLogs, { items: [{ time: '14:30', text: null, request: null, dropped: 3 }] }],
    [changeProjectPower, project],
    [restartProject, project],
    [deleteProject, project],
    [getCurrentPersonalToken, { user, personalToken: { projects: [project], expiresAt: march } }],
  ]
  const bodies = new Map(
    responses.map(([endpoint, body]) => [
      `${endpoint.method} /api${requestPath(endpoint, { params: { id: '1' } })}`,
      body,
    ]),
  )
  const service = createServer(({ method, url = '' }, response) => {
    const body = bodies.get(`${method} ${url.split('?')[0]}`)
    const missing = { code: 404, error: 'item_not_found' }
    response.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(body ?? missing))
  })
  beforeAll(() => new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve)))
  afterAll(() => service.close())

  const commands: [string, (context: CommandContext) => Promise<CommandResult>][] = [
    ['whoami', showCurrentUser],
    ['projects', showProjects],
    ['releases', (context) => showReleases(context, undefined)],
    ['logs', (context) => showLogs(context, { follow: false, json: false })],
    ['traffic', (context) => showTraffic(context, undefined)],
    ['stop', (context) => changePower(context, undefined, 'stopped')],
    ['start', (context) => changePower(context, undefined, 'running')],
    ['restart', (context) => restart(context, undefined)],
    ['delete', (context) => remove(context, { project: undefined, yes: true })],
    ['env list', (context) => listVariables(context, undefined)],
    ['env unset', (context) => unsetVariables(context, [], undefined)],
    ['domains list', (context) => showDomains(context, undefined)],
    ['domains add', (context) => addDomain(context, { name: 'shop.example', project: undefined })],
    ['domains check', (context) => checkDomains(context, { name: undefined, project: undefined })],
    ['backups list', (context) => showBackups(context, undefined)],
  ]

  it.each(commands)('prints its output in the third language: %s', async (_, run) => {
    const statuses: string[] = []
    const { lines } = await run({
      url: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
      token: 'x',
      locale,
      signal: new AbortController().signal,
      streams: { input: process.stdin, output: process.stderr },
      terminal: createTerminal(process.stdout, locale),
      loginFile: join(folder, 'login.json'),
      timings: defaultTimings,
      printStatus: (text) => void statuses.push(text),
    })
    expectThirdLanguage(...lines, ...statuses)
  })
})

describe('the starter site', () => {
  const language = preferredLanguage(thirdLanguage)
  const name = mark('Cafe')
  const signIn = { issuer: 'https://console.example', clientId: '1', clientSecret: '1' }
  const content = { title: null, text: null, createdAt: march, updatedAt: march }
  const page = { id: '1', slug: '1', title: name, text: '', inMenu: true, updatedAt: march }
  const look = { design: 'journal', accent: 'blue' } as const
  const website = { language: null, look, lookUpdatedAt: march, pages: [page], pictures: [] }
  const sharedFields = {
    language,
    visitorLanguage: language,
    siteName: name,
    website,
    createdAt: march,
    origin: null,
  }
  const session = { name, formToken: '1' } as never
  const input = { title: '', text: mark('x'.repeat(20_001)), slug: '-', inMenu: true }
  const state = {
    pageId: '',
    input,
    basedOn: '1',
    errors: validatePageInput(language, input),
    saved: { ...input, title: name },
  }
  const { welcome, notFound, notAllowed, malformed, foreignForm, tooLarge, failed } =
    phrases[language]
  const messages = [welcome, notFound, notAllowed, malformed, foreignForm, tooLarge, failed]
  const notices = ['saved', 'notSaved', 'notSavedYet', 'notChecked', 'changedMeanwhile'] as const
  const picture = { id: '1', alt: name, updatedAt: march, files: [], shownOn: [name] }
  const lookState = { look, writtenIn: language, basedOn: march, notice: 'lookChanged' } as const

  it.each([
    ['public pages', [homePage(sharedFields, content), notFoundPage(sharedFields)]],
    ['messages', messages.map((message) => messagePage(language, name, message))],
    [
      'sign-in',
      [
        signInPage(language, name, signInPath, 'accessEnded'),
        renewalPage(language, name, signInPath),
      ],
    ],
    [
      'failures of the sign-in',
      (Object.keys(phrases[language].failures) as SignInFailure[]).map((failure) =>
        signInFailurePage(language, name, failure),
      ),
    ],
    [
      'editor',
      notices.map((notice) =>
        editorPage(language, { key: '1', name, signIn }, session, website, { ...state, notice }),
      ),
    ],
    ['list of pages', [pageListPage(language, name, session, [page], 'orderChanged')]],
    ['pictures', [picturesPage(language, name, session, [picture], { notice: 'pictureGone' })]],
    ['designs', [designPage(language, name, session, lookState)]],
    ['ended session', [sessionEndedPage(language, name, input)]],
  ])('is in the third language: %s', (_, pages) => {
    for (const page of pages) {
      expect(page).toContain(`lang="${thirdLanguage}"`)
      expectThirdLanguage(...textsOfHtml(page))
    }
  })
})

describe('the console', () => {
  type Prerendered = { locale: string; html: string; title?: string; description: string }

  function findPrerendered(node: unknown): Prerendered[] {
    if (typeof node !== 'object' || node === null) return []
    if ('html' in node && 'locale' in node) return [node as Prerendered]
    return Object.values(node).flatMap(findPrerendered)
  }

  /** The prerendered pages of a console that is built with the third language. */
  async function prerender() {
    const outDir = join(folder, 'console')
    const alias = [
      { find: /^@slipway\/phrases$/, replacement: join(folder, 'src/index.ts') },
      { find: /^@slipway\/phrases\/(.+)$/, replacement: join(folder, 'src/$1.ts') },
    ]
    await build({
      root: join(root, 'apps/console'),
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      resolve: { alias },
      ssr: { noExternal: true, resolve: { conditions: ['browser', 'module', 'import'] } },
      build: { ssr: 'src/prerender.tsx', outDir, minify: false, target: 'esnext' },
    })
    const workerData = pathToFileURL(join(outDir, 'prerender.js')).href
    const worker = new Worker(join(root, 'apps/console/build/prerender.worker.ts'), { workerData })
    const result = await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
    await worker.terminate()
    return findPrerendered(result)
  }

  it('prerenders its pages in the third language', async () => {
    const pages = (await prerender()).filter((page) => page.locale === thirdLanguage)
    expect(pages.length).toBeGreaterThan(10)
    for (const { html, title = mark(''), description } of pages) {
      // The language menu shows each language by its own name.
      const shown = html.replace(/<option[^>]*>[^<]*<\/option>/g, '')
      expectThirdLanguage(...textsOfHtml(shown), title, description)
    }
  })
})
