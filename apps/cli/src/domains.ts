import { setTimeout as sleep } from 'node:timers/promises'
import { toDomainName } from '@slipway/contract/domain-name'
import { problemTextOf, quotedName, recordsToCreate } from '@slipway/contract/domain-problems'
import { domainStatus, isChecked, isConnected, isToDo } from '@slipway/contract/domain-status'
import {
  checkDomains as checkEndpoint,
  createDomain,
  type DnsRecord,
  type DomainStep,
  deleteDomain,
  listDomains,
  type ProjectDomain,
  updateDomain,
} from '@slipway/contract/domains'
import { second } from '@slipway/contract/limits'
import { type Locale, m } from '@slipway/phrases'
import { CommandError } from '@slipway/terminal/command-error'
import { withRetries } from '@slipway/terminal/service'
import { table } from '@slipway/terminal/table'
import { oneLine } from '@slipway/terminal/text'
import { type CommandContext, type CommandResult, client, findProject } from './context.ts'

const domainsOf = (context: CommandContext, id: string) =>
  withRetries(() => client(context)(listDomains, { params: { id } }))

const tableFormat = ({ terminal }: CommandContext) => ({
  columns: terminal.columns,
  heading: (text: string) => terminal.style('dim', text),
})

const roleText = ({ role }: ProjectDomain, primary: string, locale: Locale) =>
  m[`domains_role_${role}`]({ host: primary }, { locale })

const stateText = (domain: ProjectDomain, locale: Locale) =>
  m[`domains_state_${domainStatus(domain)}`]({}, { locale })

export async function showDomains(
  context: CommandContext,
  project: string | undefined,
): Promise<CommandResult> {
  const { locale } = context
  const { id } = await findProject(context, project)
  const domains = await domainsOf(context, id)
  if (domains.length === 0) return { json: [], lines: [m.domains_none({}, { locale })] }
  const primary = domains.find(({ role }) => role === 'primary')?.displayHost ?? ''
  return {
    json: domains,
    lines: table<ProjectDomain>(
      [
        { title: m.projects_domain({}, { locale }), cell: ({ displayHost }) => displayHost },
        { title: m.cli_state({}, { locale }), cell: (domain) => stateText(domain, locale) },
        {
          title: m.cli_role({}, { locale }),
          cell: (domain) => roleText(domain, primary, locale),
          narrowWidth: { preferred: 40, min: 12 },
        },
      ],
      domains,
      tableFormat(context),
    ),
  }
}

/** Adds a domain, and prints the DNS record that it needs. */
export async function addDomain(
  context: CommandContext,
  { name = '', project }: { name?: string | undefined; project: string | undefined },
): Promise<CommandResult> {
  const { id } = await findProject(context, project)
  // Not retried: a second request would find the domain in use.
  const added = await client(context)(createDomain, { params: { id }, body: { domain: name } })
  // The domain is added, even if an error or Ctrl-C ends the wait for its records.
  const domain = await withRecords(context, id, added).catch(() => added)
  return { json: domain, lines: nextSteps(context, domain) }
}

/** Milliseconds between the polls of a new domain, until its first check. */
const pollInterval = second / 2
const maxPolls = 20

/**
 * Polls until the first check has found the addresses for an apex domain. A subdomain has its CNAME
 * record at once.
 */
async function withRecords(context: CommandContext, id: string, added: ProjectDomain) {
  let domain = added
  for (let count = 0; count < maxPolls; count++) {
    if (domain.state !== 'pending' || expectedRecords(domain).length > 0) break
    await sleep(pollInterval, undefined, { signal: context.signal })
    domain = (await domainsOf(context, id)).find((each) => each.id === added.id) ?? added
  }
  return domain
}

const expectedRecords = ({ steps }: ProjectDomain) =>
  steps.find(({ id }) => id === 'record')?.expected ?? []

function nextSteps(context: CommandContext, domain: ProjectDomain) {
  const { locale } = context
  const records = expectedRecords(domain)
  if (domain.state !== 'pending') return [m.cli_domain_added({}, { locale })]
  if (records.length === 0) return [m.cli_domain_unchecked({}, { locale })]
  return [...recordLines(context, records), '', m.cli_domain_pending({}, { locale })]
}

function recordLines(context: CommandContext, records: readonly DnsRecord[]) {
  const { locale } = context
  return [
    records.length === 1
      ? m.domains_enter_one({}, { locale })
      : m.domains_enter_any({}, { locale }),
    '',
    ...table<DnsRecord>(
      [
        { title: m.domains_record_type({}, { locale }), cell: ({ type }) => type },
        { title: m.domains_record_name({}, { locale }), cell: (record) => record.name },
        { title: m.domains_record_value({}, { locale }), cell: ({ value }) => value },
      ],
      records,
      tableFormat(context),
    ),
  ]
}

/** Checks the domains of a project, or one of them. Fails unless all of them work. */
export async function checkDomains(
  context: CommandContext,
  { name, project }: { name: string | undefined; project: string | undefined },
): Promise<CommandResult> {
  const { id } = await findProject(context, project)
  const all = await client(context)(checkEndpoint, { params: { id } })
  const domains = name === undefined ? all : [requireDomain(context, all, name)]
  if (domains.length === 0)
    return { json: [], lines: [m.domains_none({}, { locale: context.locale })] }
  return {
    json: domains,
    lines: domains.flatMap((domain, index) => [
      ...(index === 0 ? [] : ['']),
      ...timeline(context, domain),
    ]),
    failed: !domains.every(isConnected),
  }
}

/** The steps of a domain, from record to certificate, with problems and records to create. */
function timeline(context: CommandContext, domain: ProjectDomain): string[] {
  const { locale } = context
  const heading = `${domain.displayHost}  ${stateText(domain, locale)}`
  if (!isChecked(domain)) return [heading, `  ${m.domains_not_checked({}, { locale })}`]
  return [
    heading,
    ...domain.steps.flatMap((step) => [
      `  ${m[`domains_step_${step.id}`]({}, { locale })}: ${m[`domains_step_is_${isToDo(step, domain) ? 'to_do' : step.state}`]({}, { locale })}`,
      ...stepLines(context, domain, step).map((line) => (line === '' ? '' : `    ${line}`)),
    ]),
  ]
}

function stepLines(context: CommandContext, domain: ProjectDomain, step: DomainStep): string[] {
  const text = problemTextOf(step)
  if (text === null) return []
  const { locale } = context
  const { displayHost: host, zone } = domain
  const names = { host, name: quotedName(step, domain), zone }
  const records = recordsToCreate(step, domain)
  return [
    m[`domains_problem_${text}`](names, { locale }),
    ...(step.detail === null
      ? []
      : [m.domains_authority_says({}, { locale }), oneLine(step.detail)]),
    ...(records.length === 0 ? [] : recordLines(context, records)),
  ]
}

function requireDomain(
  { locale }: CommandContext,
  domains: readonly ProjectDomain[],
  name: string,
): ProjectDomain {
  const host = toDomainName(name)
  const domain = domains.find((each) => each.host === host)
  if (!domain) throw new CommandError(m.cli_domain_unknown({ domain: oneLine(name) }, { locale }))
  return domain
}

export async function makePrimary(
  context: CommandContext,
  { name = '', project }: { name?: string | undefined; project: string | undefined },
): Promise<CommandResult> {
  const { locale } = context
  const { id } = await findProject(context, project)
  const { id: domainId, displayHost } = requireDomain(context, await domainsOf(context, id), name)
  const params = { id, domainId }
  const domain = await client(context)(updateDomain, { params, body: { role: 'primary' } })
  return { json: domain, lines: [m.domains_primary_toast({ host: displayHost }, { locale })] }
}

export async function removeDomain(
  context: CommandContext,
  { name = '', project }: { name?: string | undefined; project: string | undefined },
): Promise<CommandResult> {
  const { locale } = context
  const { id } = await findProject(context, project)
  const domain = requireDomain(context, await domainsOf(context, id), name)
  await client(context)(deleteDomain, { params: { id, domainId: domain.id } })
  const { displayHost } = domain
  return {
    json: { removed: domain.host },
    lines: [m.domains_removed_toast({ host: displayHost }, { locale })],
  }
}
