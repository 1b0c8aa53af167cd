import { toDomainName } from '@slipway/contract/domain-name'
import { domainStatus } from '@slipway/contract/domain-status'
import {
  createDomain,
  type DnsRecord,
  deleteDomain,
  listDomains,
  type ProjectDomain,
} from '@slipway/contract/domains'
import { type Locale, m } from '@slipway/phrases'
import { CommandError } from '@slipway/terminal/command-error'
import { withRetries } from '@slipway/terminal/service'
import { table } from '@slipway/terminal/table'
import { oneLine } from '@slipway/terminal/text'
import { type CommandContext, type CommandResult, client, findProject } from './context.ts'

const domainsOf = (context: CommandContext, id: string) =>
  withRetries(() => client(context)(listDomains, { params: { id } }))

const lookOf = ({ terminal }: CommandContext) => ({
  columns: terminal.columns,
  heading: (text: string) => terminal.style('dim', text),
})

const roleText = ({ role }: ProjectDomain, primary: string, locale: Locale) =>
  m[`domains_role_${role}`]({ host: primary }, { locale })

/** The domains of a project with what they do and their states. */
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
        {
          title: m.cli_state({}, { locale }),
          cell: (domain) => m[`domains_state_${domainStatus(domain)}`]({}, { locale }),
        },
        {
          title: m.cli_role({}, { locale }),
          cell: (domain) => roleText(domain, primary, locale),
          shrink: { max: 40, min: 12 },
        },
      ],
      domains,
      lookOf(context),
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
  return { json: added, lines: nextSteps(context, added) }
}

function nextSteps(context: CommandContext, { steps, state }: ProjectDomain) {
  const { locale } = context
  const records = steps.find(({ id }) => id === 'record')?.expected ?? []
  if (state !== 'pending' || records.length === 0) return [m.cli_domain_added({}, { locale })]
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
      lookOf(context),
    ),
    '',
    m.cli_domain_pending({}, { locale }),
  ]
}

/** Removes a domain of a project. */
export async function removeDomain(
  context: CommandContext,
  { name = '', project }: { name?: string | undefined; project: string | undefined },
): Promise<CommandResult> {
  const { locale } = context
  const { id } = await findProject(context, project)
  const host = toDomainName(name)
  const domain = (await domainsOf(context, id)).find((each) => each.host === host)
  if (!domain) throw new CommandError(m.cli_domain_unknown({ domain: oneLine(name) }, { locale }))
  await client(context)(deleteDomain, { params: { id, domainId: domain.id } })
  const { displayHost } = domain
  return {
    json: { removed: domain.host },
    lines: [m.domains_removed_toast({ host: displayHost }, { locale })],
  }
}
